FORMAT(text)
FORMAT(markdown)
FORMAT(csv)
FORMAT(json)
