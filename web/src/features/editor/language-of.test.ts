import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { detectLanguage } from './language-of.ts';

const samples = [
  ['a.js', 'JavaScript', 'const a = 1;'],
  ['a.ts', 'TypeScript', 'const a: number = 1;'],
  ['a.tsx', 'TSX', 'const a = <b />;'],
  ['a.json', 'JSON', '{"a": 1}'],
  ['a.html', 'HTML', '<p>a</p>'],
  ['a.css', 'CSS', 'a { color: red }'],
  ['a.scss', 'SCSS', 'a { b { color: red } }'],
  ['a.md', 'Markdown', '# a'],
  ['a.py', 'Python', 'def a(): pass'],
  ['a.java', 'Java', 'class A {}'],
  ['a.c', 'C', 'int a;'],
  ['a.cpp', 'C++', 'int a;'],
  ['a.cs', 'C#', 'class A {}'],
  ['a.go', 'Go', 'package a'],
  ['a.rs', 'Rust', 'fn a() {}'],
  ['a.php', 'PHP', '<?php echo 1;'],
  ['a.rb', 'Ruby', 'puts 1'],
  ['a.pl', 'Perl', 'my $a = 1;'],
  ['a.lua', 'Lua', 'local a = 1'],
  ['a.sh', 'Shell', 'echo a'],
  ['a.ps1', 'PowerShell', 'Write-Host a'],
  ['a.sql', 'SQL', 'select 1'],
  ['a.xml', 'XML', '<a/>'],
  ['a.yaml', 'YAML', 'a: 1'],
  ['a.toml', 'TOML', 'a = 1'],
  ['a.ini', 'Properties files', 'a=1'],
  ['a.swift', 'Swift', 'let a = 1'],
  ['a.kt', 'Kotlin', 'val a = 1'],
  ['a.scala', 'Scala', 'val a = 1'],
  ['a.r', 'R', 'a <- 1'],
  ['a.hs', 'Haskell', 'a = 1'],
  ['a.vue', 'Vue', '<template></template>'],
  ['a.diff', 'diff', '+a'],
  ['a.tex', 'LaTeX', '\\a'],
  ['Dockerfile', 'Dockerfile', 'FROM a'],
  ['nginx.conf', 'Nginx', 'a b;'],
] as const;

test.each(samples)('detects %s as %s and loads its syntax', async (name, language, text) => {
  const description = detectLanguage(name, '');
  expect(description?.name).toBe(language);
  const support = await description?.load();
  const state = EditorState.create({ doc: text, extensions: support ? [support] : [] });
  expect(ensureSyntaxTree(state, text.length, 1000)?.length).toBe(text.length);
});

test.each([
  ['.bashrc', '', 'Shell'],
  ['.env', '', 'Properties files'],
  ['app.service', '', 'Properties files'],
  ['drawing.svg', '', 'XML'],
  ['Containerfile', '', 'Dockerfile'],
  ['run', '#!/bin/sh', 'Shell'],
  ['run', '#!/usr/bin/env -S python3.12 -u', 'Python'],
  ['run', '#!/usr/bin/perl -w', 'Perl'],
  ['data', '<?xml version="1.0"?>', 'XML'],
] as const)('detects %s beginning with "%s" as %s', (name, firstLine, language) => {
  expect(detectLanguage(name, firstLine)?.name).toBe(language);
});

test.each([
  ['notes.txt', 'Hello'],
  ['constructor', '#!/bin/constructor'],
  ['noext', '#!'],
])('treats %s beginning with "%s" as plain text', (name, firstLine) => {
  expect(detectLanguage(name, firstLine)).toBeNull();
});
