//! Only a home for the bench; there is no library code here.
