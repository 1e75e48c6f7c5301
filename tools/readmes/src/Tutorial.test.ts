import { describe, expect, it } from 'vitest'
import { missing, steps } from './Tutorial.ts'

const TUTORIAL = `# Tutorial

\`\`\`sh
npm run firn -- devnet   # a comment
curl http://127.0.0.1:9650
\`\`\`

\`\`\`json
{"height":"0",…}
\`\`\`

\`\`\`ts [docs/try/send.ts]
console.log(1)
\`\`\`

\`\`\`text [http://127.0.0.1:8000]
valid: …
\`\`\`
`

describe('steps', () => {
  it('returns commands, output, files and pages in the order of the blocks', () => {
    expect(steps(TUTORIAL)).toEqual([
      { kind: 'command', line: 4, text: 'npm run firn -- devnet   # a comment' },
      { kind: 'command', line: 5, text: 'curl http://127.0.0.1:9650' },
      { kind: 'output', line: 9, lines: ['{"height":"0",…}'] },
      { kind: 'file', line: 13, path: 'docs/try/send.ts', text: 'console.log(1)\n' },
      { kind: 'page', line: 17, url: 'http://127.0.0.1:8000', lines: ['valid: …'] },
    ])
  })

  it('rejects a block of code that does not say where to save it', () => {
    expect(() => steps('```ts\nconsole.log(1)\n```\n')).toThrow('the block at line 2 has no title')
  })
})

describe('missing', () => {
  const output = 'valid            weight 8 of 10 (80.00 %)\nsigners          4 of 5\n'

  it.each([
    [['valid   weight 8 of 10 (80.00 %)', 'signers 4 of 5'], undefined],
    [['valid … (80.00 %)'], undefined],
    [['valid', 'signers 5 of 5'], 'signers 5 of 5'],
    [['valid … signers'], 'valid … signers'],
  ])('compares the lines %j with the output', (lines, expected) => {
    expect(missing(lines, output)).toBe(expected)
  })
})
