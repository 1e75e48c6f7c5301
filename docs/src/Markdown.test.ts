import { expect, it } from 'vitest'
import * as Markdown from './Markdown.ts'

it('turns links to files into links to pages, and keeps the text of links to other files', () => {
  const pages = new Map([['services/node/README.md', 'guides/node.md']])
  const resolve = Markdown.toPages('packages/rpc/README.md', 'reference/packages/rpc/index.md', pages)
  const text =
    'See [the\nnode](../../services/node/README.md#run), [`code`](src/Client.ts) and [a](https://x.example).'
  expect(Markdown.rewriteLinks(text, resolve)).toBe(
    'See [the\nnode](../../../guides/node.md#run), `code` and [a](https://x.example).',
  )
})

it('changes nothing in fenced blocks and inline code', () => {
  const text = '```ts\nconst a: Map<string, [b](c)> = {{}}\n```\n`<id>`'
  expect(Markdown.withoutTemplates(Markdown.rewriteLinks(text, () => undefined))).toBe(text)
})

it('makes placeholders and templates plain characters, and removes comments', () => {
  const text = '<!-- options: firn -->\nprimary_<network id> {{ a }}'
  expect(Markdown.withoutTemplates(text)).toBe('primary_&lt;network id> &#123;&#123; a }}')
})

it('numbers the anchors of repeated headings', () => {
  expect([...Markdown.anchorsOf('# A b\n## A b\n## `c()`')]).toEqual(['a-b', 'a-b-1', 'c'])
})
