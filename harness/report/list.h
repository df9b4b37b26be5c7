/* The list of the tables of the paper (table.h).  Before a file includes this
 * list, it defines TABLE. */
TABLE(1)
TABLE(2)
TABLE(3)
TABLE(4)
TABLE(5)
TABLE(6)
TABLE(7)
