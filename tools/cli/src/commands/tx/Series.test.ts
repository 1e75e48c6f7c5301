import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, Hex, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { PrivateKey, PublicKey } from '@firn/keys'
import { AvmUtxo, Wallet } from '@firn/txs'
import { afterAll, describe, expect, it } from 'vitest'
import * as Run from '../../Run.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-series-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const tx = async (...argv: readonly string[]) => {
  const notes: string[] = []
  const signal = new AbortController().signal
  const print = () => {}
  await Run.run(['tx', ...argv], { print, note: (line) => notes.push(line), isInteractive: false, signal })
  return notes.join('\n')
}

const secret = new Uint8Array(32).fill(7)
const owners = Wallet.soleOwner(PublicKey.address(PrivateKey.publicKey(secret)))
const assetId = new Uint8Array(32).fill(5)
const utxo = (asset: Uint8Array, amount: bigint, outputIndex: number) =>
  Hex.encode(
    AvmUtxo.encode({ txID: Id.EMPTY, outputIndex, ...Wallet.plainOut({ assetID: asset, amount, owners }) }),
  )
const to = Address.format({ chain: 'X', hrp: 'avax', payload: new Uint8Array(20).fill(3) })
const avax = Networks.MAINNET.ids?.avaxAssetId as Uint8Array
const units = Array.from({ length: 1_000 }, (_, i) => utxo(assetId, 10n, i + 1))
const utxos = save('utxos', [utxo(avax, 10n ** 10n, 0), ...units].join('\n'))
const asset = ['--asset-id', Id.format(assetId), '--utxos', utxos, '--keys', save('key', Hex.encode(secret))]

describe('firn tx consolidate', () => {
  it('counts UTXOs of an asset that wait for the change of the transaction that pays the fee', async () => {
    const notes = await tx('consolidate', '--chain', 'X', ...asset, '--max-transactions', '5')
    expect(notes).toMatch(/left \d+ UTXOs: they did not fit; run the command again/)
  })
})

describe('firn tx transfer', () => {
  it('names the asset that is missing, in its units', async () => {
    const notes = await tx('transfer', `${to}=10001`, ...asset)
    expect(notes).toContain(
      `Not enough of the asset ${Id.format(assetId)}: 10001 needed, 10000 available, 1 missing.`,
    )
  })
})
