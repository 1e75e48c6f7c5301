import { Id, Json } from '@firn/codec'
import { XChainGenesis } from '@firn/genesis'
import { AvmTx } from '@firn/txs'
import { expect, test } from 'vitest'
import { recordedContext } from '../testing/chainReplay.ts'
import * as Rendering from './Rendering.ts'

test("formats a genesis asset with more owners than the chain's codec allows", async () => {
  const context = await recordedContext('local')
  const [asset] = XChainGenesis.decode(context.genesis.xChain.genesisData).txs
  if (asset === undefined) throw new TypeError('the genesis has no asset')
  const outputs = Array.from({ length: 7000 }, (_, i) => ({
    type: 'TransferOutput' as const,
    amount: BigInt(i + 1),
    locktime: 0n,
    threshold: 1,
    addresses: [new Uint8Array(20).fill(i % 256)],
  }))
  const large = { ...asset, alias: 'LARGE', initialStates: [{ fxIndex: 0, outputs }] }
  const xChain = { ...context.genesis.xChain, genesisData: XChainGenesis.encode({ txs: [large] }) }
  const assets = Rendering.genesisAssets({ genesis: { ...context.genesis, xChain } })
  const id = XChainGenesis.assetId(large)
  expect(assets.byName.get('LARGE')).toEqual(id)
  expect(assets.names.get(Id.format(id))).toBe('LARGE')
  const bytes = new Uint8Array(300_000)
  expect(() => AvmTx.decode(bytes)).toThrow()
  const json = Rendering.transaction(context, assets, { id, bytes }, 'json')
  const shown = Json.stringify(json)
  expect(shown.match(/"amount":/g)).toHaveLength(7000)
  expect(shown.endsWith(`"id":"${Id.format(id)}"}`)).toBe(true)
})
