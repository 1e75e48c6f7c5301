import { describe, expect, it } from 'vitest'
import * as Fences from './Fences.ts'

const markdown = (language: string, ...lines: readonly string[]) =>
  ['# Title', '', `\`\`\`${language}`, ...lines, '```', 'text'].join('\n')

const commands = (...lines: readonly string[]) =>
  Fences.find(markdown('sh', ...lines)).flatMap((fence) => Fences.commands(fence, Fences.isComplete))

describe('find', () => {
  it.each(['sh', 'bash', 'shell'])('returns a %s code block with its line number', (language) => {
    expect(Fences.find(markdown(language, 'one', 'two'))).toEqual([{ line: 4, lines: ['one', 'two'] }])
  })

  it.each(['ts', 'json', ''])('ignores a code block with the language %j', (language) => {
    expect(Fences.find(markdown(language, 'one'))).toEqual([])
  })

  it('returns the correct line of a shell block that follows another block', () => {
    const text = `${markdown('ts', 'const x = 1')}\n${markdown('sh', 'one')}`
    expect(Fences.find(text)).toEqual([{ line: 10, lines: ['one'] }])
  })
})

describe('commands', () => {
  it('returns the commands without comments, with their line numbers', () => {
    expect(commands('# first', 'one # it', '', 'two')).toEqual([
      { line: 5, text: 'one # it' },
      { line: 7, text: 'two' },
    ])
  })

  it.each([
    ['a backslash', ['curl \\', '  http://127.0.0.1/']],
    ['single quotes', ["curl -d '{", "}'"]],
    ['double quotes', ['echo "a', 'b"']],
    ['an escaped quote', ['echo "a\\"', 'b"']],
  ])('joins lines into one command if they are connected by %s', (_name, lines) => {
    expect(commands(...lines, 'next')).toEqual([
      { line: 4, text: lines.join('\n') },
      { line: 6, text: 'next' },
    ])
  })

  it('ends a command at the end of a line whose comment contains an apostrophe', () => {
    expect(commands("one # the reader's", 'two').map(({ line }) => line)).toEqual([4, 5])
  })
})

it('returns the Markdown files to which a Markdown file links', () => {
  const text = '[a](docs/a.md) [b](../b/README.md#part) [c](https://example.org/c.md) [d](src/d.ts)'
  expect(Fences.links(text)).toEqual(['docs/a.md', '../b/README.md'])
})
