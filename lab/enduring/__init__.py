"""Hours of play with faults: does the table always recover, does its memory stay flat, is every ruling kept?"""
