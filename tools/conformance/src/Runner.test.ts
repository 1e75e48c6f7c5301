import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Program } from '@firn/options'
import { TestPostgres } from '@firn/sql/testing'
import { afterAll, expect, it } from 'vitest'
import { PROGRAM } from './index.ts'
import { readSamples } from './testing/samples.ts'

/**
 * An archive that ends at the genesis, a node's responses at that height, and exchanges that do not depend on
 * blocks.
 */
const sample = readSamples<Readonly<Record<string, string>>>('replay')['archive'] ?? {}
const root = mkdtempSync(join(tmpdir(), 'archive-'))
afterAll(() => rmSync(root, { recursive: true }))

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, folder, name)), { recursive: true })
    writeFileSync(join(root, folder, name), content)
  }
  return join(root, folder)
}

async function run(...argv: readonly string[]): Promise<{ status: number; output: string }> {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const terminal = { print: write, note: write, isInteractive: false, signal: new AbortController().signal }
  const status = await Program.run(PROGRAM, { argv, environment: {}, readFile: () => '', terminal })
  return { status, output: lines.join('\n') }
}

it('replays transcripts and point-in-time recordings through the node API on the archive in the same folder', async () => {
  const folder = write('whole', sample)
  const { status, output } = await run(folder)
  expect(output).toContain('rpc/envelope.jsonl: 5 cases, 5 passed, 0 failed, 0 skipped')
  expect(output).toMatch(/state\/00-genesis.json: (\d+) cases, \1 passed, 0 failed, 0 skipped/)
  expect(output).toContain('0 different, 0 not compared')
  expect(status).toBe(0)
})

it('reports a changed response in a transcript or in a point-in-time recording', async () => {
  const changes = { 'rpc/envelope.jsonl': '"networkID', 'state/00-genesis.json': '361196333750752149' }
  const files = { ...sample }
  for (const [name, text] of Object.entries(changes)) {
    expect(files[name]).toContain(text)
    files[name] = (files[name] ?? '').replaceAll(text, `${text}0`)
  }
  const { status, output } = await run(write('changed', files))
  for (const name of Object.keys(changes)) {
    expect(output).toMatch(new RegExp(`${name}: .* [1-9]\\d* failed`))
  }
  expect(status).toBe(1)
})

it('replays transcripts and point-in-time recordings on PostgreSQL', async () => {
  const missing = TestPostgres.missing()
  if (missing !== undefined) return void console.log(`not run: ${missing}`)
  const folder = write('whole', sample)
  const { status, output } = await run(`--database=${await TestPostgres.url()}`, folder)
  expect(output).toContain('0 different, 0 not compared')
  expect(status).toBe(0)
})

it.each(['', 'mysql://localhost/x'])(
  'rejects a database URL that is not a PostgreSQL URL: %s',
  async (database) => {
    expect(await run(`--database=${database}`, root)).toMatchObject({ status: 2 })
  },
)

it('fails if a folder contains transcripts but no archive', async () => {
  const folder = write('alone', { 'rpc/envelope.jsonl': sample['rpc/envelope.jsonl'] ?? '' })
  const { status, output } = await run(join(folder, 'rpc'))
  expect(output).toMatch(/^conformance: .*: no genesis found/)
  expect(status).toBe(1)
})

/** Writes an archive with one refused transaction of each chain, of which the X-chain's has the given error text. */
function writeRefusals(folder: string, text: string): string {
  const archive = Object.entries(sample).filter(([name]) => !/^(rpc|state)\//.test(name))
  const path = write(folder, Object.fromEntries(archive.map(([name, it]) => [`archive/${name}`, it])))
  const texts = {
    P: "couldn't parse tx: couldn't parse tx: couldn't unpack codec version",
    X: text,
    C: "problem parsing transaction: couldn't unpack codec version",
  }
  const lines = Object.entries(texts).map(([chain, message]) => {
    const error = { code: -32000, message, data: null }
    return JSON.stringify({ name: 'none', variant: 'empty', chain, tx: '0x7852b855', error })
  })
  writeFileSync(join(path, 'refusals.jsonl.gz'), gzipSync(lines.join('\n')))
  return path
}

it.each([
  ['passes', 'equal', "couldn't unpack codec version", 0],
  ['fails', 'different', 'another text', 1],
] as const)('%s refused transactions whose errors are %s', async (_verb, folder, text, failed) => {
  const { status, output } = await run(writeRefusals(folder, text))
  expect(output).toContain(`${folder}/P-chain: 1 cases, 1 passed, 0 failed, 0 skipped`)
  expect(output).toContain(`${folder}/X-chain: 1 cases, ${1 - failed} passed, ${failed} failed, 0 skipped`)
  expect(output).toContain(`${folder}/C-chain: 1 cases, 1 passed, 0 failed, 0 skipped`)
  expect(status).toBe(failed)
})
