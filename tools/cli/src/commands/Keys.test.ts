import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ChainStores } from '@firn/evm-store'
import { silentLogger } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { Store, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'
import { type Databases, startDatabases } from '../testing/databases.ts'
import { startFirn } from '../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-keys-'))
const archive = join(folder, 'archive')
let databases: Databases
let database: readonly string[]
afterAll(async () => {
  await databases.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = (...argv: readonly string[]) => startFirn([...argv, ...database])

const firn = async (...argv: readonly string[]) => {
  const { lines, notes, code } = start(...argv)
  return { code: await code, lines, notes: notes.join('\n') }
}

const create = async (name: string, ...more: readonly string[]) => {
  const { code, lines } = await firn('keys', 'create', '--name', name, ...more)
  expect(code).toBe(0)
  return lines[0] ?? ''
}

/** Runs `firn data-api` on the same database while `work` sends requests to it. */
const serving = async (
  work: (statusOf: (path: string, key?: string) => Promise<number>) => Promise<void>,
) => {
  const service = start('data-api', '--port', '0', '--no-rate-limits')
  try {
    const url = await until(() => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(service.lines.join('\n')) ?? []
      expect(service.lines.at(-1)).toMatch(/Press Ctrl-C/)
      return found ?? ''
    })
    await work(async (path, key) => {
      const headers: Record<string, string> = key === undefined ? {} : { 'x-data-api-key': key }
      return (await fetch(url + path, { headers })).status
    })
  } finally {
    service.stop()
    await service.code
  }
}

beforeAll(async () => {
  const file = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    writeFileSync(join(archive, path), text)
  }
  databases = await startDatabases(folder)
  database = await databases.create('data')
  expect((await firn('index', '--from', archive)).code).toBe(0)
})

const SUBNETS = '/v1/networks/local/subnets'
const METRIC = '/v2/networks/local/metrics/validatorCount'
const USAGE = '/v1/subnetRpcUsageMetrics'

describe('firn keys', () => {
  test('grants a key access only to the endpoints of its scopes', async () => {
    const all = await create('all')
    const metrics = await create('metrics', '--scope', 'metrics')
    const two = await create('two', '--scope', 'data', '--scope', 'usage')
    await serving(async (statusOf) => {
      const isOpen = async (path: string, key?: string) => (await statusOf(path, key)) !== 403
      const opened = async (key?: string) => [
        await isOpen(SUBNETS, key),
        await isOpen(METRIC, key),
        await isOpen(USAGE, key),
      ]
      expect(await opened()).toEqual([true, true, true])
      expect(await opened(all)).toEqual([true, true, true])
      expect(await opened(metrics)).toEqual([false, true, false])
      expect(await opened(two)).toEqual([true, false, true])
      expect(await statusOf(SUBNETS, two)).toBe(200)
    })
    const { lines } = await firn('keys', 'list')
    const rows = lines.map((line) => line.split('  '))
    const times = rows.map((row) => row[4])
    expect(times).toEqual(times.toSorted())
    // Keys created in the same second may be listed in any order.
    expect(rows.map((row) => row.slice(2, 4)).toSorted()).toEqual([
      ['all', 'data,metrics,aggregate,usage,webhooks'],
      ['metrics', 'metrics'],
      ['two', 'data,usage'],
    ])
  })

  test('rejects an unknown scope and lists the valid scopes', async () => {
    const { code, notes } = await firn('keys', 'create', '--name', 'x', '--scope', 'metric')
    expect(code).toBe(Run.EXIT.usage)
    expect(notes).toMatch(/expected one of data, metrics, aggregate, usage/)
  })

  test('revokes a key by its full text, its id or its first characters', async () => {
    const whole = await create('whole')
    const byId = await create('by id')
    const first = await create('first')
    const idOf = async (name: string) =>
      (await firn('keys', 'list')).lines
        .map((line) => line.split('  '))
        .find((row) => row[2] === name)?.[1] ?? ''
    const id = await idOf('by id')
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect((await firn('keys', 'revoke', whole)).lines).toEqual([
      `revoked ${whole.slice(0, 11)}…  ${await idOf('whole')}  whole`,
    ])
    expect((await firn('keys', 'revoke', id)).code).toBe(0)
    const short = await firn('keys', 'revoke', first.slice(0, 7))
    expect(short.code).toBe(Run.EXIT.failure)
    expect(short.notes).toMatch(/at least 8 characters .* "firn keys list" shows all keys/)
    expect((await firn('keys', 'revoke', `${first.slice(0, 11)}…`)).code).toBe(0)
    const again = await firn('keys', 'revoke', whole)
    expect([again.code, again.notes]).toEqual([Run.EXIT.failure, expect.stringMatching(/is already revoked/)])
    expect(again.notes).not.toContain(whole)
    await serving(async (statusOf) => {
      for (const key of [whole, byId, first]) expect(await statusOf(SUBNETS, key)).toBe(401)
    })
  })

  test('stores keys in a folder', async () => {
    const { genesis, constants } = Recordings.load('local')
    const store = await Store.open({ folder: join(folder, 'own', 'db'), networkId: genesis.networkId })
    await store.migrate()
    await Writer.open(store, genesis, constants)
    await store.close()
    const inFolder = async (...argv: readonly string[]) => {
      const { lines, code } = startFirn([...argv, '--data-dir', join(folder, 'own')])
      expect(await code).toBe(0)
      return lines
    }
    const [key = ''] = await inFolder('keys', 'create', '--name', 'own')
    await inFolder('keys', 'revoke', key)
    expect(await inFolder('keys', 'list')).toEqual([expect.stringMatching(/ {2}own {2}.* {2}revoked/)])
  })

  test('stores keys with an EVM chain', async () => {
    const dataDir = join(folder, 'evm')
    const chain = await ChainStores.openOne({ dataDir }, 4711n, silentLogger)
    await chain.migrate()
    await chain.close()
    const ofChain = async (id: string, ...argv: readonly string[]) => {
      const { lines, notes, code } = startFirn([...argv, '--chain-id', id, '--data-dir', dataDir])
      return { code: await code, lines, notes: notes.join() }
    }
    const { code, lines } = await ofChain('4711', 'keys', 'create', '--name', 'payments')
    expect([code, lines]).toEqual([0, [expect.stringMatching(/^firn_/)]])
    expect((await ofChain('4711', 'keys', 'list')).lines).toEqual([expect.stringContaining('  payments  ')])
    const unknown = await ofChain('4712', 'keys', 'create', '--name', 'payments')
    expect(unknown.code).toBe(1)
    expect(unknown.notes).toContain('no EVM chain 4712, but 4711')
  })
})
