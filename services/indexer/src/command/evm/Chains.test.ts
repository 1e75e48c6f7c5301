import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import { NamedChains } from '@firn/options'
import { afterAll, expect, test } from 'vitest'
import * as ChainDetails from './ChainDetails.ts'
import { OPTIONS } from './ChainOptions.ts'
import * as Chains from './Chains.ts'

const SIGNAL = new AbortController().signal
const NONE_STORED = async () => []
const folder = mkdtempSync(join(tmpdir(), 'firn-chains-'))
const file = join(folder, 'chains.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('parses a chain given by its node URLs, with or without a chain id', () => {
  expect(NamedChains.parse('http://one:1,ws://two/x?key=a=b')).toEqual({
    names: [],
    urls: ['http://one:1', 'ws://two/x?key=a=b'],
  })
  expect(NamedChains.parse('43114=https://one')).toEqual({ names: ['43114'], urls: ['https://one'] })
})

test.each(['', 'one', 'ftp://one', 'http://one,', '43114=', 'http://one,43114=http://two'])(
  'rejects %j as a list of nodes',
  (text) => {
    expect(() => NamedChains.parse(text)).toThrow(/expected a node's URL/)
  },
)

test.each(['x43114=http://one', '43114,C=http://one'])('rejects the chain id of %j', (text) => {
  expect(OPTIONS.chain.type.parse(text)).toBeUndefined()
})

test('adds built-in details to C-chains, and prefers details of a metadata file', async () => {
  writeFileSync(
    file,
    JSON.stringify({
      chains: {
        7: { name: 'Seven', network: 'testnet', firstHeight: 5, rpcUrl: 'https://seven' },
        43114: { name: 'Mine' },
      },
    }),
  )
  const named = ['43113=http://a', '7=http://b', '43114=http://c', '8=http://d'].map(NamedChains.parse)
  const [fuji, seven, mine, eight] = await Chains.resolve(named, ChainDetails.read(file), NONE_STORED, SIGNAL)
  expect(fuji?.about).toMatchObject({ network: 'testnet', token: { symbol: 'AVAX', decimals: 18 } })
  expect(Id.format(fuji?.about.blockchainId as Uint8Array)).toBe(
    'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  )
  expect(seven).toMatchObject({
    chainId: 7n,
    firstHeight: 5n,
    about: { name: 'Seven', network: 'testnet' },
  })
  expect(mine?.about).toMatchObject({ name: 'Mine', network: 'local' })
  expect(eight?.about).toMatchObject({ name: 'EVM chain 8', network: 'local' })
})

test('rejects a duplicate chain, an unknown network and an invalid metadata file', async () => {
  const twice = ['7=http://a', '7=http://b'].map(NamedChains.parse)
  await expect(Chains.resolve(twice, {}, NONE_STORED, SIGNAL)).rejects.toThrow('chain 7 is given twice')
  writeFileSync(file, '{"chains":{"7":{"network":"main"}}}')
  expect(() => ChainDetails.read(file)).toThrow('chains.7.network: expected one of')
  writeFileSync(file, '{')
  expect(() => ChainDetails.read(file)).toThrow('JSON')
  writeFileSync(file, '{"7":{"name":"Seven"}}')
  expect(ChainDetails.read(file)).toEqual({})
  writeFileSync(file, '{"chains":{"7":{"token":{"name":"Coin","symbol":"COIN","decimals":"18"}}}}')
  expect(() => ChainDetails.read(file)).toThrow(
    'chains.7.token: expected an object with name, symbol and decimals, got {"name":"Coin"',
  )
})

test('reads the chain id from a node', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x18710"}')
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const [chain] = await Chains.resolve([NamedChains.parse(url)], {}, NONE_STORED, SIGNAL)
    expect(chain?.chainId).toBe(100_112n)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('infers the chain id of unresponsive nodes if only one stored chain is not named by another --chain', async () => {
  const named = ['http://127.0.0.1:9', '8=http://127.0.0.1:9'].map(NamedChains.parse)
  const resolve = (stored: readonly bigint[]) => Chains.resolve(named, {}, async () => stored, SIGNAL)
  expect((await resolve([7n, 8n])).map(({ chainId }) => chainId)).toEqual([7n, 8n])
})
