"""The chances of every game measured: does the sum of luck and skill close, and is 70 % won seven times in ten?"""
