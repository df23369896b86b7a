@"%~dp0lib\node.exe" "%~dp0lib\bin\filestead.js" %*
