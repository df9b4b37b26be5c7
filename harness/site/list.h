/* The list of page kinds (struct pages, site.h).  Before a file includes this
 * list, it defines PAGES. */
PAGES(index)
PAGES(table)
PAGES(task)
PAGES(variant)
PAGES(figure)
PAGES(cell)
PAGES(claim)
