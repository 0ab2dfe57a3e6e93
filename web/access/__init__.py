"""Who may do what: who calls, from where, by which proof. No module here but `pages.py` knows Flask."""
