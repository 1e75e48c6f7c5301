import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Run from './Run.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-ports-'))
const other = createServer()
let taken = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  taken = String((other.address() as AddressInfo).port)
})
afterAll(() => {
  other.close()
  rmSync(folder, { recursive: true, force: true })
})

const AWAY = 'http://127.0.0.1:1'
const UP = ['up', '--upstream', AWAY, '--chain', `1=${AWAY}`]
const FREE = ['--data-port', '0', '--http-port', '0', '--aggregator-port', '0', '--gateway-port', '0']

describe('port in use', () => {
  it.each([
    [['node', '--upstream', AWAY], '--http-port'],
    [['data-api', '--upstream', AWAY], '--port'],
    [['gateway', '--chain', `1=${AWAY}`], '--port'],
    [['index', '--upstream', AWAY], '--metrics-port'],
    [['evm', '--chain', `1=${AWAY}`, '--port', '0'], '--gateway-port'],
    [[...UP, ...FREE], '--data-port'],
    [[...UP, ...FREE], '--http-port'],
    [[...UP, ...FREE], '--aggregator-port'],
    [[...UP, ...FREE], '--gateway-port'],
    [['demo', ...FREE], '--gateway-port'],
  ] as const)(
    'fails before any other work if a port is in use, and names the flag in the error: firn %j, %s',
    async (argv, flag) => {
      const notes: string[] = []
      const dataDir = join(folder, `${argv[0]}${flag}`)
      const code = await Run.run(
        [...argv, flag, taken, ...(argv[0] === 'demo' ? [] : ['--data-dir', dataDir])],
        {
          print: () => undefined,
          note: (line) => void notes.push(line),
          isInteractive: false,
          signal: new AbortController().signal,
        },
      )
      expect([code, notes.join('\n')]).toEqual([
        1,
        expect.stringContaining(
          `Port ${taken} at 127.0.0.1 is in use. Pass ${flag} <port>, or stop the process that listens on it.`,
        ),
      ])
      expect(existsSync(join(dataDir, 'db'))).toBe(false)
    },
  )

  it('rejects two flags with the same port', async () => {
    const notes: string[] = []
    const code = await Run.run([...UP, ...FREE, '--data-port', '8799', '--http-port', '8799'], {
      print: () => undefined,
      note: (line) => void notes.push(line),
      isInteractive: false,
      signal: new AbortController().signal,
    })
    expect([code, notes.join('\n')]).toEqual([
      1,
      expect.stringContaining(
        '--data-port and --http-port are both 8799. Pass a different port to one of them.',
      ),
    ])
  })
})
