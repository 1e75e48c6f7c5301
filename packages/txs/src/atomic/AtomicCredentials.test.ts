import { CheckedHex, Hex } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as UtxoId from '../avax/UtxoId.ts'
import { cases } from '../testing/vectors.ts'
import * as AtomicCredentials from './AtomicCredentials.ts'
import * as AtomicTx from './AtomicTx.ts'
import type { AtomicUtxo } from './AtomicUtxo.ts'

const key = new Uint8Array(32).fill(7)
const publicKey = PrivateKey.publicKey(key)
const owners = { locktime: 5n, threshold: 1, addresses: [PublicKey.address(publicKey)] }
const other = Signature.signMessage(new Uint8Array(), key)

/**
 * Returns the transaction of a vector, signed by {@link key}, and the UTXOs that it spends. All inputs belong
 * to that key.
 */
function signedBy(type: AtomicTx.TxType): { tx: AtomicTx.AtomicTx; utxos: AtomicUtxo[] } {
  const vector = cases('cchain-atomic-txs', 'valid').find((item) => item['txType'] === `Unsigned${type}`)
  const { unsignedTx } = AtomicTx.decode(Hex.decode(vector?.bytes))
  const changed: AtomicTx.UnsignedTx =
    unsignedTx.type === 'ImportTx'
      ? {
          ...unsignedTx,
          importedInputs: unsignedTx.importedInputs.map((item) => ({
            ...item,
            input: { ...item.input, signatureIndices: [0] },
          })),
        }
      : {
          ...unsignedTx,
          inputs: unsignedTx.inputs.map((item) => ({ ...item, address: PublicKey.evmAddress(publicKey) })),
        }
  const imported = changed.type === 'ImportTx' ? changed.importedInputs : []
  const signatures = [Signature.signMessage(AtomicTx.encodeUnsigned(changed), key)]
  const inputs = changed.type === 'ImportTx' ? changed.importedInputs : changed.inputs
  const utxos = imported.map(({ txID: txId, outputIndex, assetID: assetId, input: { amount } }) => ({
    ...{ txID: txId, outputIndex, assetID: assetId },
    output: { type: 'TransferOutput' as const, amount, ...owners },
  }))
  return {
    tx: { unsignedTx: changed, credentials: inputs.map(() => ({ type: 'Credential', signatures })) },
    utxos,
  }
}

function check(tx: AtomicTx.AtomicTx, utxos: readonly AtomicUtxo[], time = 5n): void {
  const utxo = (id: UtxoId.UtxoId) => utxos.find((item) => UtxoId.compare(item, id) === 0)
  AtomicCredentials.assertValid(AtomicTx.encode(tx), tx, { time, utxo })
}

const refused = (work: () => void, code: string) => expect(work).toThrow(expect.objectContaining({ code }))

it('accepts the signatures of recorded exports', () => {
  const txs = cases('recorded-x-c', 'atomic').map(({ bytes }) => AtomicTx.decode(CheckedHex.decode(bytes)))
  const exports = txs.filter(({ unsignedTx }) => unsignedTx.type === 'ExportTx')
  expect(exports.length).toBeGreaterThan(5)
  for (const tx of exports) check(tx, [])
})

describe.each(['ImportTx', 'ExportTx'] as const)('%s', (type) => {
  const { tx, utxos } = signedBy(type)

  it('accepts the owners’ signatures', () => {
    check(tx, utxos)
  })

  it('rejects a missing credential, a credential of the wrong type, and a signature by the wrong key', () => {
    refused(() => check({ ...tx, credentials: [] }, utxos), 'TXS_CREDENTIAL')
    tx.credentials.forEach((credential, i) => {
      const changed = [
        [{ type: 'Input', signatureIndices: [0] }, 'TXS_CREDENTIAL'],
        [{ ...credential, signatures: [] }, 'TXS_SIGNERS'],
        [{ ...credential, signatures: [other, other] }, 'TXS_SIGNERS'],
        [{ ...credential, signatures: [other] }, 'TXS_SIGNATURE'],
      ] as const
      for (const [value, code] of changed) {
        const credentials = tx.credentials.with(i, value as AtomicTx.Verifiable)
        refused(() => check({ ...tx, credentials }, utxos), code)
      }
    })
  })

  it('rejects a UTXO that is missing or locked, or that differs from the input in asset or amount', () => {
    utxos.forEach((utxo, i) => {
      refused(() => check(tx, utxos.toSpliced(i, 1)), 'TXS_UTXO')
      refused(
        () => check(tx, utxos.with(i, { ...utxo, assetID: new Uint8Array(32).fill(9) })),
        'TXS_ASSET_ID',
      )
      refused(() => check(tx, utxos.with(i, { ...utxo, output: { ...utxo.output, amount: 1n } })), 'TXS_UTXO')
      refused(() => check(tx, utxos, 4n), 'TXS_LOCKED')
    })
  })
})
