import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, Hex, Id } from '@firn/codec'
import { PlatformUtxo, Wallet } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import { settingOf } from './Setting.ts'

describe('settingOf', () => {
  it('reads UTXOs once, because standard input cannot be read again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'firn-setting-'))
    const file = join(folder, 'utxos')
    const owner = new Uint8Array(20).fill(3)
    const payment = { assetID: Id.EMPTY, amount: 5n, owners: Wallet.soleOwner(owner) }
    const utxo = { txID: Id.EMPTY, outputIndex: 0, ...Wallet.plainOut(payment) }
    writeFileSync(file, Hex.encode(PlatformUtxo.encode(utxo)))
    const { signal } = new AbortController()
    const from = [Address.format({ chain: 'P', hrp: 'avax', payload: owner })]
    const options = {
      utxos: file,
      from,
      network: 'mainnet',
      dryRun: false,
      json: false,
      send: false,
      timeout: 1,
    }
    const { context } = await settingOf(options, { print() {}, note() {}, isInteractive: false, signal })
    const read = () => context.node.utxos('P', context.addresses, undefined, signal)
    expect(await read()).toEqual([utxo])
    rmSync(folder, { recursive: true })
    expect(await read()).toEqual([utxo])
  })
})
