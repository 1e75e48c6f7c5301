import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@firn/runtime/testing'
import { UsageMetrics, UsageStore } from '@firn/service-store'
import { afterAll, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-gateway-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...argv: readonly string[]) => startFirn([...argv, '--data-dir', folder])

const usageOf = async (groupBy: UsageMetrics.Grouping) => {
  const store = await UsageStore.open({ folder: join(folder, 'usage') })
  const query = { interval: 'monthly', from: 0n, to: 10_000_000_000n, limit: 100, groupBy } as const
  const sums = await UsageMetrics.read(store, query)
  await store.close()
  return sums.map(({ group, requests }) => [group, Number(requests)])
}

test('creates bypass tokens for a running gateway, and counts their requests and the requests of an access log', async () => {
  const made = run('bypass', 'create', '--name', 'explorer')
  expect(await made.code).toBe(0)
  expect(await run('bypass', 'create', '--name', 'explorer').code).toBe(1)

  const node = createServer(
    (_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"result":"0xa869"}'),
  )
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const limits = ['--credits-per-second', '1', '--burst', '30', '--deny', 'eth_sign*']
  const gateway = run('gateway', '--port', '0', '--chain', `43113,C=${url}`, ...limits)
  await until(() => expect(gateway.lines.at(-1)).toMatch(/Press Ctrl-C/))
  const rpc = gateway.lines[0]?.split(/\s+/)[1]
  const ask = async (method: string, token = '') => {
    const body = JSON.stringify({ id: 1, method })
    return (await fetch(`${rpc}${token}`, { method: 'POST', body })).status
  }
  expect([await ask('eth_call'), await ask('eth_call'), await ask('eth_call', `/${made.lines[0]}`)]).toEqual([
    200, 429, 200,
  ])
  gateway.stop()
  // Stopping the command has the same effect as pressing Ctrl-C.
  await gateway.code
  node.close()
  expect(await usageOf('rlBypassToken')).toEqual([
    ['', 2],
    ['explorer', 1],
  ])

  const log = join(folder, 'access.ndjson')
  const line = { at: 1_800_000_000, chainId: '1', method: 'eth_getLogs', status: 200, milliseconds: 3 }
  writeFileSync(log, `${JSON.stringify(line)}\n{"at":1}\n${JSON.stringify(line)}\n`)
  const load = ['usage', 'load', log, '--field', 'time=at']
  const loaded = run(...load)
  expect(await loaded.code).toBe(1)
  expect(loaded.lines).toEqual(['counted 2 requests; skipped 0 lines that were counted before'])
  expect(loaded.notes[0]).toBe(`${log}:2: status: expected a whole number from 100 to 599, got nothing`)
  const again = run(...load)
  expect([await again.code, again.lines]).toEqual([
    0,
    ['counted 0 requests; skipped 3 lines that were counted before'],
  ])
  expect(await usageOf('rpcMethod')).toEqual([
    ['eth_call', 3],
    ['eth_getLogs', 2],
  ])

  expect(await run('bypass', 'revoke', 'explorer').code).toBe(0)
  const listed = run('bypass', 'list')
  expect([await listed.code, listed.lines.length]).toEqual([0, 1])
  expect(listed.lines[0]).toMatch(/^firnrl_.{6}… {2}explorer {2}no limit .* revoked /)
})

test.each([
  [['gateway', '--chain', 'http://127.0.0.1:9650']],
  [['gateway', '--chain', '1=ftp://127.0.0.1']],
  [['gateway', '--chain', '1=http://a', '--allow-method', 'eth_*']],
  [['gateway', '--chain', '1=http://a', '--allow', 'eth_*']],
  [['gateway', '--chain', '1=http://a', '--cost', 'eth_call=x']],
  [['usage', 'load', 'x', '--field', 'colour=red']],
])('rejects the command line %j as a usage error', async (argv) => {
  expect(await run(...argv).code).toBe(2)
})
