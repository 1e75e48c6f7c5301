import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SERVICES, SKIPPED } from './exceptions.ts'
import * as Files from './Files.ts'
import { runFiles, type Stand } from './Run.ts'

const root = mkdtempSync(join(tmpdir(), 'run-'))
afterAll(() => rmSync(root, { recursive: true }))

const stand: Stand = {
  env: { GREETING: 'hello' },
  curl: 'fail-with-body\n',
  values: async () => ({ '<word>': 'hello' }),
  release: async () => undefined,
}

function checkout(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(root, 'clone-'))
  for (const name of ['packages', 'services', 'tools', 'examples']) mkdirSync(join(folder, name))
  for (const [file, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), lines.join('\n'))
  }
  return folder
}

const block = (...commands: readonly string[]) => ['# Title', '', '```sh', ...commands, '```']

async function run(files: Readonly<Record<string, readonly string[]>>, isAll = false) {
  const folder = checkout(files)
  const lines: string[] = []
  const { signal } = new AbortController()
  const clone = { root: folder, env: { PATH: process.env['PATH'] ?? '' } }
  const job = { clone, folder: mkdtempSync(join(root, 'job-')), files: Files.find(folder), isAll, signal }
  const isPassed = await runFiles(job, stand, (line) => lines.push(line))
  return { isPassed, output: lines.join('\n') }
}

describe('README whose commands pass', () => {
  it('counts passed and skipped commands in a README whose commands pass', async () => {
    const { isPassed, output } = await run({
      'README.md': block('test <word> = "$GREETING"', 'npm test', 'test -z "$(ls "$HOME")"'),
    })
    expect(output).toContain('  ok      README.md:4  test <word> = "$GREETING"')
    expect(output).toContain('  skipped README.md:5  npm test (CI runs this command in a separate step)')
    expect(output).toContain('README.md: 3 commands, 2 passed, 0 failed, 1 skipped')
    expect(isPassed).toBe(true)
  })

  it('runs the README of every package, and the files to which a README links', async () => {
    const { output } = await run({
      'README.md': ['[more](docs/more.md)', ...block('true')],
      'docs/more.md': block('true'),
      'packages/one/README.md': block('true'),
    })
    for (const file of ['README.md', 'docs/more.md', 'packages/one/README.md']) {
      expect(output).toContain(`${file}: 1 commands, 1 passed`)
    }
  })
})

describe('README with a command that fails', () => {
  const files = {
    'README.md': block('true', 'echo broken; false', 'echo never'),
    'tools/next/README.md': block('true'),
  }

  it('reports the file and line of a failed command, and runs no further commands', async () => {
    const { isPassed, output } = await run(files)
    expect(output).toContain('  FAILED  README.md:5  echo broken; false')
    expect(output).toMatch(/`echo broken; false` ended with 1\n\s+broken/)
    expect(output).toContain('README.md: 2 commands, 1 passed, 1 failed, 0 skipped')
    expect(output).not.toContain('tools/next')
    expect(isPassed).toBe(false)
  })

  it('runs the other files with --all after a failure, and reports failure at the end', async () => {
    const { isPassed, output } = await run(files, true)
    expect(output).toContain('tools/next/README.md: 1 commands, 1 passed')
    expect(isPassed).toBe(false)
  })

  it.each([
    ['an unknown placeholder', 'echo <other>', 'no value for the placeholder <other>'],
    ['an unknown host', 'echo https://example.org', 'unknown host example.org'],
  ])('rejects %s', async (_name, command, message) => {
    const { isPassed, output } = await run({ 'README.md': block(command) })
    expect(output).toContain(message)
    expect(isPassed).toBe(false)
  })
})

describe('exceptions', () => {
  it('has a reason for every skipped command, and skips at most five', () => {
    for (const { reason } of SKIPPED) expect(reason.length).toBeGreaterThan(10)
    expect(SKIPPED.length).toBeLessThanOrEqual(5)
  })

  it.each([
    ['npm start', true],
    ['npm start -- --once', false],
    ['npm start -- up --upstream http://127.0.0.1:9650', true],
    ['npm run firn -- aggregator --help', false],
    ['npm run firn -- index --from archive/', false],
    ['npm run firn -- index --upstream http://127.0.0.1:9650', true],
    ["curl -N 'http://127.0.0.1:8081/v1/changes/43113'", true],
    ['curl http://127.0.0.1:8081/', false],
  ])('decides whether the command "%s" runs as a service: %s', (command, expected) => {
    expect(SERVICES.some((it) => it.command.test(command))).toBe(expected)
  })
})
