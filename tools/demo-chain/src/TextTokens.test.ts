import { decodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './internal/call.ts'
import { type LocalEvm, startLocalEvm } from './LocalEvm.ts'
import { createTextTokens } from './TextTokens.ts'

const TEXT = '<i>"\u202e'
const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function tokenURI(uint256 tokenId) view returns (string)',
])

let evm: LocalEvm
beforeAll(async () => {
  const signal = new AbortController().signal
  evm = await startLocalEvm({ chainId: 4_246, genesisTime: 1_700_000_000, signal })
})
afterAll(() => evm?.close())

test('gives a text to tokens, their metadata and their URIs', async () => {
  const [made] = await createTextTokens(evm.url, [{ text: TEXT, doublings: 3 }])
  const ask = async (to: Hex | undefined, data: Hex) => {
    const answer = await call<Hex>(evm.url, 'eth_call', [{ to, data }, 'latest'])
    return decodeAbiParameters(parseAbiParameters('string'), answer)[0]
  }
  const name = encodeFunctionData({ abi: ABI, functionName: 'name' })
  const symbol = encodeFunctionData({ abi: ABI, functionName: 'symbol' })
  const uri = (tokenId: bigint) => encodeFunctionData({ abi: ABI, functionName: 'tokenURI', args: [tokenId] })
  expect([await ask(made?.token, name), await ask(made?.token, symbol)]).toEqual([TEXT, TEXT])
  expect(await ask(made?.collection, name)).toBe(TEXT.repeat(8))
  expect(await ask(made?.collection, symbol)).toBe(TEXT)
  expect(await ask(made?.collection, uri(2n))).toBe(TEXT)
  const [, json = ''] = (await ask(made?.collection, uri(1n))).split(',')
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject({
    name: TEXT,
    image: TEXT,
    attributes: [{ trait_type: TEXT, value: TEXT }],
  })
})
