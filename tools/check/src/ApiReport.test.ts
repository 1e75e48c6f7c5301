import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as ApiReport from './ApiReport.ts'
import { compare } from './rules/ApiReports.ts'

const root = mkdtempSync(join(realpathSync(tmpdir()), 'firn-api-report-'))
afterAll(() => rmSync(root, { recursive: true }))

const FILES = {
  'index.d.ts': "export * as Id from './Id.ts';\nexport { size } from './size.ts';\n",
  'Id.d.ts':
    "import type { Text } from './Text.ts';\n/** Docs. */\nexport declare function parse(text: Text): Id;\nexport type Id = Uint8Array;\n",
  'size.d.ts': 'export declare const size: number;\nexport declare const hidden: number;\n',
  'Text.d.ts': 'export type Text = Digits | null;\ntype Digits = string;\ntype Unused = string;\n',
}

/** Returns the report of a package whose built declarations are `FILES` with these changes. */
const report = (changes: Partial<typeof FILES> = {}): string => {
  for (const [name, text] of Object.entries({ ...FILES, ...changes })) {
    const path = join(root, 'packages/id/dist', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const manifest = { exports: { '.': { types: './dist/index.d.ts' } } }
  return (
    ApiReport.create(root, [{ folder: 'packages/id', name: '@firn/id', manifest }]).get('packages/id') ?? ''
  )
}

describe('the report of public types', () => {
  it('contains what a package exports, by namespace, and the types that it names', () => {
    expect(report()).toBe(`# API of @firn/id

Written by \`npm run api\`: a change of a public type changes a line of this file.

## @firn/id

\`\`\`ts
const size: number;

// Id
type Id = Uint8Array;
function parse(text: Text): Id;
\`\`\`

## Types that are not exported

\`\`\`ts
type Digits = string;
type Text = Digits | null;
\`\`\`
`)
  })

  it('shows a changed type, also one that is not exported itself, as a changed line', () => {
    const changed = report({ 'Text.d.ts': FILES['Text.d.ts'].replace('Digits = string', 'Digits = number') })
    const [violation] = compare('packages/id/api.md', report(), changed)
    expect(violation?.where).toBe('packages/id/api.md:18')
    expect(violation?.message).toContain('here: type Digits = number;')
  })

  it('ignores comments and declarations that users cannot see', () => {
    const size = FILES['size.d.ts'].replace('hidden: number', '/** New. */ hidden: string')
    expect(compare('', report(), report({ 'size.d.ts': size }))).toEqual([])
  })

  it('notices a removed export', () => {
    const [violation] = compare('', report(), report({ 'index.d.ts': "export * as Id from './Id.ts';\n" }))
    expect(violation?.message).toContain('the public types have changed')
  })
})
