import { Hex, Id } from '@firn/codec'
import { expect, it } from 'vitest'
import { check, createConfiguration } from '../configuration/Configuration.ts'
import { L1_CHAIN } from '../testing/fakes.ts'
import { endpointOf } from './ChainRpc.ts'

const ID = Id.format(L1_CHAIN)
const urlOf = (url: string, api: 'rpc' | 'proposervm') => {
  const [chain] = createConfiguration({ chainRpc: `${ID}=${url}` }).chainRpc
  return chain && endpointOf(chain, api).url
}

it('derives the endpoints of a chain from the URL of a node, or from the URL of one endpoint of the chain', () => {
  const node = `http://127.0.0.1:9650/ext/bc/${ID}`
  expect(urlOf('http://127.0.0.1:9650', 'proposervm')).toBe(`${node}/proposervm`)
  expect(urlOf('http://127.0.0.1:9650/', 'rpc')).toBe(`${node}/rpc`)
  expect(urlOf('https://h/ext/bc/C/rpc', 'proposervm')).toBe('https://h/ext/bc/C/proposervm')
  expect(urlOf('https://h/ext/bc/C/rpc', 'rpc')).toBe('https://h/ext/bc/C/rpc')
  expect(urlOf('https://h/ext/bc/C/ws/?key=a=b', 'rpc')).toBe('https://h/ext/bc/C/rpc?key=a=b')
})

it('accepts a list and objects, and ids in hex', () => {
  const object = { 'blockchain-id': ID, 'base-url': 'http://h', 'query-parameters': { key: 'a' } }
  const other = { blockchainId: Hex.encode(new Uint8Array(32)), baseUrl: 'http://i' }
  const { chainRpc } = createConfiguration({ chainRpc: [object, other] })
  expect(chainRpc).toEqual([
    { blockchainId: ID, baseUrl: 'http://h', queryParameters: { key: 'a' }, httpHeaders: {} },
    { blockchainId: Id.format(Id.EMPTY), baseUrl: 'http://i', queryParameters: {}, httpHeaders: {} },
  ])
  expect(chainRpc.map((chain) => endpointOf(chain, 'rpc').query)).toEqual([{ key: 'a' }, {}])
})

it('rejects a malformed chain, and two URLs for one chain', () => {
  for (const chainRpc of [`${ID}`, `${ID}=ftp://h`, 'x=http://h', { 'base-url': 'http://h' }]) {
    expect(() => createConfiguration({ chainRpc })).toThrow(/^chainRpc: expected a blockchain id, = and/)
  }
  const { chainRpc } = createConfiguration({ chainRpc: `${ID}=http://h` })
  expect(() => check({ ...createConfiguration(), chainRpc: [...chainRpc, ...chainRpc] })).toThrow(
    `chain-rpc: expected one URL for each chain, got several for ${ID}`,
  )
})
