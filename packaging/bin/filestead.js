#!/usr/bin/env node
// The program of the npm package. Its syntax is valid in old versions of Node, so that they can report that they are too old.
'use strict';

var parts = process.versions.node.split('.').map(Number);
var isSupported = (parts[0] === 22 && parts[1] >= 15) || parts[0] > 22;
if (isSupported) {
  process.env.NODE_ENV = process.env.NODE_ENV || 'production';
  import('../server/dist/main.js');
} else {
  process.stderr.write(
    'Filestead needs Node 22.15 or newer; this is Node ' +
      process.versions.node +
      '.\nInstall a current version from your package manager or nodejs.org, then run the command again.\n',
  );
  process.exitCode = 1;
}
