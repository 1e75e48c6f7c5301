import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Program } from '@firn/options'
import { expect, test } from 'vitest'
import { PROGRAM } from './main.ts'
import { createDevnet } from './RunningDevnet.ts'

/**
 * Runs the command with the given flags and returns its result. Stops a started network after it has reported
 * readiness.
 */
async function run(...argv: readonly string[]) {
  const controller = new AbortController()
  const out: string[] = []
  const err: string[] = []
  const print = (line: string) => {
    out.push(line)
    controller.abort()
  }
  const terminal = {
    print,
    note: (line: string) => void err.push(line),
    isInteractive: false,
    signal: controller.signal,
  }
  const code = await Program.run(PROGRAM, { argv, environment: {}, readFile: () => '', terminal })
  return { code, out: out.join(''), err: err.join('') }
}

test('prints one line of JSON and stops when it is interrupted', async () => {
  const { code, out } = await run(
    '--validators',
    '2',
    '--rpc-port',
    '0',
    '--l1',
    '{"name":"game","weights":["5"]}',
    '--faults',
    '{"1":"silent"}',
  )
  expect(code).toBe(0)
  expect(out.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(out)).toMatchObject({ networkID: 12345, validators: 2, l1s: [{ name: 'game' }] })
})

test('serves a generated chain behind the genesis of Fuji', async () => {
  const { code, out } = await run(
    ...['--made-up-blocks', '300', '--network-id', 'fuji', '--height', '120', '--validators', '2'],
    ...['--rpc-port', '0', '--faults', '{"1":"fork"}', '--grow-every', '1h'],
  )
  expect(code).toBe(0)
  const ready = JSON.parse(out)
  expect(ready).toMatchObject({ networkID: 5, heights: { P: 120, X: 0, C: 0 }, validators: 2 })
  expect(ready.bootstrapIds).toMatch(/^NodeID-\w+,NodeID-\w+$/)
  expect(ready.bootstrapIps).toMatch(/^127\.0\.0\.1:\d+,127\.0\.0\.1:\d+$/)
})

test('describes every flag in the output of --help', async () => {
  const { code, out } = await run('--help')
  expect(code).toBe(0)
  for (const flag of ['validators', 'seed', 'network-id', 'rpc-port', 'faults', 'l1'])
    expect(out).toContain(`--${flag} <`)
})

test.each([
  [['--validators', 'many']],
  [['--nonsense']],
  [['--validators', '0', '--rpc-port', '0']],
  [['--faults', '{"9":"silent"}', '--rpc-port', '0']],
  [['--faults', '{']],
  [['--l1', '{"validators":9}', '--rpc-port', '0']],
  [['--l1', '{']],
  [['--l1', '{"validaters":3}', '--rpc-port', '0']],
  [['--l1', '{"weights":["0"]}', '--rpc-port', '0']],
  [['--weights', '0', '--rpc-port', '0']],
  [['--weights', '18446744073709551616', '--rpc-port', '0']],
  [['--weights', '18446744073709551615,1', '--rpc-port', '0']],
  [['--rpc-port', '65536']],
  [['--staking-port', '65533', '--rpc-port', '0']],
  [['--from', 'archive', '--rpc-port', '0']],
  [['--made-up-blocks', '1', '--from', 'archive']],
  [['--made-up-blocks', '1', '--rpc-port', '0']],
  [['--made-up-blocks', '1', '--network-id', '5', '--l1', '{}']],
  [['--made-up-blocks', '1', '--network-id', '5', '--warm']],
  [['--made-up-blocks', '1', '--network-id', '5', '--made-up-vertices', '1', '--rpc-port', '0']],
  [['--made-up-blocks', '1', '--network-id', '5', '--height', '2', '--rpc-port', '0']],
  [['--made-up-blocks', '1', '--network-id', '5', '--faults', '{"0":"refuse"}', '--rpc-port', '0']],
  [['--faults', '{"0":"fork"}', '--rpc-port', '0']],
  [['--height', '3']],
  [['--grow-every', '2s']],
])('rejects %j with exit code 2', async (argv) => {
  const { code, err } = await run(...argv)
  expect(code).toBe(2)
  expect(err).toMatch(/^devnet: .* See devnet --help\.$/)
})

test('reports a port that is in use and exits with code 1', async () => {
  const devnet = await createDevnet({ validators: 1 })
  const { code, err } = await run('--validators', '1', '--rpc-port', new URL(devnet.rpcUrl).port)
  expect(code).toBe(1)
  expect(err).toMatch(/is in use\. Pass --rpc-port <port>/)
  await devnet.close()
})

test('prints the line of JSON as a separate process and exits with code 0 on SIGTERM', async () => {
  const bin = new URL('./bin.ts', import.meta.url).pathname
  const child = spawn(
    process.execPath,
    ['--conditions=source', bin, '--validators', '2', '--rpc-port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { rpcUrl } = JSON.parse(line) as { readonly rpcUrl: string }
  expect((await fetch(`${rpcUrl}/devnet`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
