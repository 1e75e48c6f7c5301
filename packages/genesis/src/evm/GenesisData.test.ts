import { Json } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { cases, type VectorCase } from '../testing/vectors.ts'
import * as GenesisData from './GenesisData.ts'

const of = (text: string) => Json.stringify(GenesisData.of(new TextEncoder().encode(text)))

const NULLS = '"airdropAmount":null,"baseFeePerGas":null,"blobGasUsed":null,"excessBlobGas":null'

describe('genesis data of the Data API', () => {
  it.each([
    ['hex fees', '{"baseFeePerGas":"0x5"}', '{"baseFeePerGas":5}'],
    [
      'decimal fees in the config',
      '{"config":{"feeConfig":{"minBaseFee":"25000000000"}}}',
      '{"config":{"feeConfig":{"minBaseFee":25000000000}}}',
    ],
    [
      'a big number',
      '{"config":{"chainId":18446744073709551615}}',
      `{${NULLS},"config":{"chainId":18446744073709551615}}`,
    ],
    [
      'numbers in the header',
      '{"timestamp":0,"gasLimit":20000000}',
      '{"timestamp":"0x0","gasLimit":"0x1312d00"}',
    ],
    ['null permissions', '{"config":{"txAllowListConfig":null}}', '{"config":{}}'],
    [
      'null for nullable members',
      '{"airdropAmount":null,"baseFeePerGas":null,"blobGasUsed":null,"excessBlobGas":null,"nonce":null}',
      '{"airdropAmount":null,"baseFeePerGas":null,"blobGasUsed":null,"excessBlobGas":null}',
    ],
    [
      'values of the wrong type',
      '{"nonce":{},"config":{"berlinBlock":"soon","allowFeeRecipients":1}}',
      '{"config":{}}',
    ],
    [
      'booleans as text',
      '{"config":{"allowFeeRecipients":"true"}}',
      '{"config":{"allowFeeRecipients":true}}',
    ],
    [
      'unknown members',
      '{"own":{"a":[1,null]},"config":{"durangoTimestamp":"7"}}',
      '{"own":{"a":[1,null]},"config":{"durangoTimestamp":"7"}}',
    ],
    [
      'balances and storage',
      '{"alloc":{"11":{"balance":16,"nonce":1,"storage":{"0x0":1,"0x1":"0x2"}},"22":5}}',
      '{"alloc":{"11":{"balance":"0x10","nonce":1,"storage":{"0x0":"0x1","0x1":"0x2"}}}}',
    ],
    [
      'lists with values other than text',
      '{"config":{"feeManagerConfig":{"blockTimestamp":"0","adminAddresses":[1],"enabledAddresses":["0x1"]}}}',
      '{"config":{"feeManagerConfig":{"blockTimestamp":0,"enabledAddresses":["0x1"]}}}',
    ],
    ['JSON that is not an object', '[1]', '"[1]"'],
    ['bytes that are not JSON', 'abc', '"0x616263"'],
    [
      'an EVM genesis without nullable members',
      '{"config":{"chainId":1},"baseFeePerGas":7,"blobGasUsed":[]}',
      '{"airdropAmount":null,"baseFeePerGas":7,"blobGasUsed":null,"excessBlobGas":null,"config":{"chainId":1}}',
    ],
    ['a member named __proto__', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ])('converts %s', (_name, given, expected) => {
    expect(of(given)).toBe(expected)
  })

  it('returns the EVM chain id of an EVM genesis, and undefined for any other data', () => {
    const [recorded] = cases('recording', 'recording') as [VectorCase]
    const id = (text: string) => GenesisData.evmChainId(new TextEncoder().encode(text))
    expect(id(recorded['l1Genesis'])).toBe(99112n)
    expect(id('{"config":{"chainId":"0x10"}}')).toBe(16n)
    for (const other of [
      '{}',
      'abc',
      '{"config":[]}',
      '{"config":{"chainId":-1}}',
      '{"config":{"chainId":null}}',
    ]) {
      expect(id(other)).toBe(undefined)
    }
  })
})
