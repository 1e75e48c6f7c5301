import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as LinkCheck from './LinkCheck.ts'

const site = (pages: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'firn-docs-'))
  mkdirSync(join(folder, 'guides'))
  for (const [path, text] of Object.entries(pages)) writeFileSync(join(folder, path), text)
  return folder
}

it('accepts links to pages, folders and headings below the base', () => {
  const folder = site({
    'index.html':
      '<a href="/firn/guides/">a</a><a href="/firn/guides/node.html#a-b">b</a><a href="https://x.example">c</a>',
    'guides/index.html': '<a href="./node.html">a</a>',
    'guides/node.html': '<h2 id="a-b">A b</h2><a href="#a-b">a</a>',
  })
  expect(LinkCheck.check(folder, '/firn/')).toEqual({ links: 4, broken: [] })
})

it('reports missing pages, missing headings, and links outside of the base', () => {
  const folder = site({
    'index.html': '<a href="/firn/no.html">a</a><a href="/guides/node.html">b</a>',
    'guides/node.html': '<a href="../index.html#no">a</a>',
  })
  expect(LinkCheck.check(folder, '/firn/').broken).toEqual([
    'index.html links to /firn/no.html, which does not exist',
    'index.html links to /guides/node.html, which is outside of /firn/',
    'guides/node.html links to ../index.html#no, but there is no such heading',
  ])
})
