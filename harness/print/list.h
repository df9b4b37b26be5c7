/* The list of output formats (sheet.h).  Before a file includes this list, it
 * defines FORMAT. */
FORMAT(text)
FORMAT(md)
FORMAT(tex)
FORMAT(csv)
FORMAT(json)
FORMAT(html)
