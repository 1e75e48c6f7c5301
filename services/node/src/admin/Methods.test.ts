import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Hex, Id } from '@firn/codec'
import { call } from '@firn/node-api/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RecordedNode, startRecordedNode } from '../testing/recordedNode.ts'

let node: RecordedNode
beforeAll(async () => {
  node = await startRecordedNode()
})
afterAll(() => node.close())

const admin = (method: string, params: unknown = {}) =>
  call(node.url, '/ext/admin', `admin.${method}`, params)
const key = (text: string) => Hex.encode(new TextEncoder().encode(text))

describe('dbGet', () => {
  test('returns the genesis id and other values that a node stores in its database, apart from chain data', async () => {
    const genesisId = Hex.encode(Id.parse('u1NtdJoguoeGEz5ZHqAECaCPvfnqijuwfBdjpomnGge4Je8Lq'))
    expect(await admin('dbGet', { key: key('genesisID') })).toEqual({ value: genesisId, errorCode: 0 })
    expect(await admin('dbGet', { key: key('ungracefulShutdown') })).toEqual({ value: '0x', errorCode: 0 })
  })

  test.each([[key('genesisId')], [''], ['0x'], [`0x${'ff'.repeat(64)}`]])(
    'returns the error code "not found" for the key %s',
    async (missing) => {
      expect(await admin('dbGet', { key: missing })).toEqual({ value: '', errorCode: 2 })
    },
  )

  test.each([
    ['00', 'missing 0x prefix to hex encoding'],
    ['0x0', 'encoding/hex: odd length hex string'],
    ['0xgg', "encoding/hex: invalid byte: U+0067 'g'"],
    ['0X00', 'missing 0x prefix to hex encoding'],
  ])('rejects %s', async (text, message) => {
    await expect(admin('dbGet', { key: text })).rejects.toThrow(message)
  })
})

describe('aliases', () => {
  test('limits the length of an alias in bytes, not characters', async () => {
    await admin('alias', { endpoint: 'info', alias: 'é'.repeat(256) })
    await expect(admin('alias', { endpoint: 'info', alias: `${'é'.repeat(256)}a` })).rejects.toThrow(
      'alias length is too long',
    )
    await expect(admin('aliasChain', { chain: 'nope', alias: 'é'.repeat(257) })).rejects.toThrow(
      'alias length is too long',
    )
  })

  test("adds a chain alias even if the call fails because the alias's path is taken", async () => {
    await admin('alias', { endpoint: 'info', alias: 'bc/taken' })
    await expect(admin('aliasChain', { chain: 'X', alias: 'taken' })).rejects.toThrow(
      'route is either already aliased or already maps to a handle: /ext/bc/taken',
    )
    const { blockchainID: blockchainId } = (await call(node.url, '/ext/info', 'info.getBlockchainID', {
      alias: 'taken',
    })) as { blockchainID: string }
    expect(await admin('getChainAliases', { chain: blockchainId })).toEqual({
      aliases: expect.arrayContaining(['taken']),
    })
    expect(await call(node.url, '/ext/bc/taken', 'info.getNetworkID')).toEqual({ networkID: '12345' })
  })

  test.each([
    ['', '/ext/bc'],
    ['two//parts/', '/ext/bc/two/parts'],
  ])('serves a chain with the alias %o at the cleaned path %s', async (alias, path) => {
    await admin('aliasChain', { chain: 'X', alias })
    expect(await call(node.url, path, 'avm.getHeight')).toHaveProperty('height')
  })

  test("reserves an alias even if the call fails because the alias's path is taken", async () => {
    await expect(admin('alias', { endpoint: 'bc/X', alias: 'admin' })).rejects.toThrow(
      'failed to create endpoint as /ext/admin already exists',
    )
    await expect(admin('alias', { endpoint: 'bc/X', alias: 'admin' })).rejects.toThrow(
      'route is either already aliased or already maps to a handle: /ext/admin',
    )
  })
})

test('changes the levels of the active loggers', async () => {
  node.loggers.get('P').debug({}, 'before')
  await admin('setLoggerLevel', { loggerName: 'P', logLevel: 'debug' })
  node.loggers.get('P').debug({}, 'after')
  const text = await readFile(join(node.folder, 'logs', 'P.log'), 'utf8')
  expect(text).toContain('after')
  expect(text).not.toContain('before')
  await expect(admin('getLoggerLevel', { loggerName: 'a\u0001b' })).rejects.toThrow(
    'logger with name "a\\x01b" not found',
  )
})

test('returns an error when a profile cannot be written', async () => {
  const folder = join(node.folder, 'profiles')
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'lock.profile'), { recursive: true })
  await expect(admin('lockProfile')).rejects.toThrow(`open ${folder}/lock.profile: is a directory`)
  await expect(admin('stopCPUProfiler')).rejects.toThrow("cpu profiler doesn't exist")
})

test('writes a stack trace that lists pending operations', async () => {
  await admin('stacktrace')
  const text = await readFile(join(node.folder, 'stacktrace.txt'), 'utf8')
  expect(text).toMatch(/^running:\n[\s\S]*admin[\s\S]*\nwaiting for:\n[\s\S]*\d+ TCP/)
  expect((await stat(join(node.folder, 'stacktrace.txt'))).mode & 0o777).toBe(0o640)
})
