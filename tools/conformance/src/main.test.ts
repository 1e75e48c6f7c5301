import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Json } from '@firn/codec'
import { Program } from '@firn/options'
import { afterAll, describe, expect, it } from 'vitest'
import { PROGRAM } from './index.ts'
import { readSamples } from './testing/samples.ts'

const root = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(root, { recursive: true }))

let folders = 0

/**
 * Writes files into a folder, runs the folder, and returns the exit status and the output. Contents other
 * than strings are written as JSON.
 */
async function run(files: Readonly<Record<string, unknown>>): Promise<{ status: number; output: string }> {
  const folder = join(root, String(folders++), 'warp')
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : Json.stringify(content as Json.Json)
    writeFileSync(join(folder, name), text)
  }
  return runArguments([folder])
}

async function runArguments(argv: readonly string[]): Promise<{ status: number; output: string }> {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const terminal = { print: write, note: write, isInteractive: false, signal: new AbortController().signal }
  const status = await Program.run(PROGRAM, { argv, environment: {}, readFile: () => '', terminal })
  return { status, output: lines.join('\n') }
}

const valid = { name: 'one byte', kind: 'valid', bytes: '0x08', cb58: 'xyQtky' }
const refused = { name: 'letters', kind: 'decode', cb58: '0OIl', ok: false, error: 'a label' }
const exchanges = readSamples<unknown>('recordings')

describe('folder of vectors', () => {
  it('passes if all cases agree', async () => {
    const { status, output } = await run({ 'cb58.json': [valid, refused], 'README.md': 'words' })
    expect(output).toBe('cb58.json: 2 cases, 2 passed, 0 failed, 0 skipped')
    expect(status).toBe(0)
  })

  it('fails on one changed digit and prints the changed field', async () => {
    const { status, output } = await run({ 'cb58.json': [refused, { ...valid, bytes: '0x09' }] })
    expect(status).toBe(1)
    expect(output).toContain('cb58.json: 2 cases, 1 passed, 1 failed, 0 skipped')
    expect(output).toContain('case 1 "one byte": cb58\n    expected "xyQtky"\n    got      "')
  })

  it('prints the first differences and the number of omitted differences', async () => {
    const { output } = await run({ 'cb58.json': Array(8).fill({ ...valid, bytes: '0x09' }) })
    expect(output.match(/^ {2}case /gm)?.length).toBe(5)
    expect(output).toContain('… and 3 more')
  })

  it.each([
    ['an unknown file', { 'cb58.json': [valid], 'unheard.json': [] }, 'unheard.json: unknown file'],
    [
      'an unknown file that is not JSON',
      { 'cb58.json': [valid], 'cb58.json.bak': '[]' },
      'cb58.json.bak: unknown file',
    ],
    ['only unknown files', { 'unheard.json': [valid] }, 'no cases were run'],
    ['an empty folder', {}, 'no cases were run'],
    ['a file without cases', { 'cb58.json': [valid], 'ids.json': [] }, 'ids.json: 0 cases'],
    ['a file that is not an array', { 'cb58.json': { ...valid } }, '1 failed'],
    ['a file that is not JSON', { 'cb58.json': '[{' }, 'expected JSON in'],
    ['an unknown kind', { 'cb58.json': [{ ...valid, kind: 'unheard' }] }, '1 failed'],
    ['a field without a check', { 'cb58.json': [{ ...valid, hex: '08' }] }, '1 failed'],
  ])('fails on %s', async (_name, files, text) => {
    const { status, output } = await run(files)
    expect(output).toContain(text)
    expect(status).toBe(1)
  })
})

describe('folder of recordings', () => {
  it('recognizes a folder of recordings and counts skipped cases by reason', async () => {
    const { status, output } = await run(exchanges)
    expect(output).toMatch(/^warp: 16 cases, \d+ passed, 0 failed, \d+ skipped\n/)
    expect(output).toContain('skipped 1: not an aggregation request: GET /')
    expect(status).toBe(0)
  })

  it('fails on one changed digit of a signature', async () => {
    const [name = '', recording] = Object.entries(exchanges).find(([file]) => file.startsWith('005')) ?? []
    const text = Json.stringify(recording as Json.Json)
    const altered = text.replace(/("signedMessage":"0x[0-9a-f]*)[0-9a-f]"/, '$1z"').replace('z"', '0"')
    const another = altered === text ? text.replace('0"', '1"') : altered
    expect((await run({ [name]: another })).status).toBe(1)
  })

  it('fails on an unknown file in a folder of recordings', async () => {
    const { status, output } = await run({ ...exchanges, 'unheard.json': [{}] })
    expect(output).toContain('unheard.json: unknown file')
    expect(status).toBe(1)
  })
})

describe('folder of folders', () => {
  const chains = readSamples<Readonly<Record<string, readonly unknown[]>>>('chains')
  const write = (path: string, lines: readonly unknown[]) =>
    writeFileSync(path, lines.map((line) => Json.stringify(line as Json.Json)).join('\n'))

  it('runs every recorded chain and lists the folders and files that it skips', async () => {
    const tree = join(root, 'tree')
    for (const [name, files] of Object.entries(chains)) {
      mkdirSync(join(tree, 'deeper', name), { recursive: true })
      for (const [file, lines] of Object.entries(files)) write(join(tree, 'deeper', name, file), lines)
    }
    mkdirSync(join(tree, 'state'))
    writeFileSync(join(tree, 'state', 'other.json'), '{}')
    writeFileSync(join(tree, 'loose.jsonl'), '{}')
    const { status, output } = await runArguments([tree])
    for (const [name, files] of Object.entries(chains)) {
      for (const [file, { length }] of Object.entries(files)) {
        expect(output).toContain(`deeper/${name}/${file}: ${length} cases, ${length} passed, 0 failed`)
      }
    }
    expect(output).toContain('state: left out')
    expect(output).toContain('loose.jsonl: left out')
    expect(status).toBe(0)
  })

  it('fails on lines that are not JSON', async () => {
    const folder = join(root, 'broken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'blocks.jsonl'), '{}\n{')
    expect((await runArguments([folder])).status).toBe(1)
  })
})

describe('usage', () => {
  it.each([
    [[]],
    [['--unheard']],
    [['--peers', '4', '--liars', '2', root]],
    [['--node', '--peers', '4', root]],
  ])('exits with status 2 for the arguments %j', async (argv) => {
    const { status, output } = await runArguments(argv)
    expect(output).toContain('See conformance --help.')
    expect(status).toBe(2)
  })

  it('prints the help for --help', async () => {
    expect((await runArguments(['--help'])).status).toBe(0)
  })

  it('fails on a folder that does not exist', async () => {
    expect((await runArguments([join(root, 'nowhere')])).status).toBe(1)
  })

  it('fails if one of two folders fails', async () => {
    const good = join(root, 'good')
    mkdirSync(good)
    writeFileSync(join(good, 'cb58.json'), JSON.stringify([valid]))
    expect((await runArguments([good, good])).status).toBe(0)
    expect((await runArguments([join(root, 'nowhere'), good])).status).toBe(1)
    expect((await runArguments([good, join(root, 'nowhere')])).status).toBe(1)
  })
})
