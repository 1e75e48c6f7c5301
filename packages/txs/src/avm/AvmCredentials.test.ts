import { CheckedHex, Hex } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as UtxoId from '../avax/UtxoId.ts'
import { cases } from '../testing/vectors.ts'
import * as AvmBlock from './AvmBlock.ts'
import type { AvmCredential } from './AvmCredential.ts'
import * as AvmCredentials from './AvmCredentials.ts'
import type * as AvmFx from './AvmFx.ts'
import * as AvmTx from './AvmTx.ts'
import type { AvmUtxo } from './AvmUtxo.ts'
import * as AvmUtxoOf from './AvmUtxo.ts'

const key = new Uint8Array(32).fill(7)
const owners = { locktime: 5n, threshold: 1, addresses: [PublicKey.address(PrivateKey.publicKey(key))] }
const byKey = { signatureIndices: [0] }

/** Returns an output that the node allows the operation to spend. */
function heldFor(action: AvmFx.Action): AvmFx.State {
  switch (action.type) {
    case 'MintOperation':
      return { type: 'MintOutput', ...owners }
    case 'NftMintOperation':
      return { type: 'NftMintOutput', groupID: action.groupID, ...owners }
    case 'NftTransferOperation':
      return { type: 'NftTransferOutput', ...action.output, ...owners }
    case 'PropertyMintOperation':
      return { type: 'PropertyMintOutput', ...owners }
    case 'PropertyBurnOperation':
      return { type: 'PropertyOwnedOutput', ...owners }
  }
}

function owned(action: AvmFx.Action): AvmFx.Action {
  const signed =
    'mintInput' in action ? { ...action, mintInput: byKey } : { ...action, input: byKey, ...byKey }
  return ('mintOutput' in signed ? { ...signed, mintOutput: owners } : signed) as AvmFx.Action
}

/**
 * Returns the transaction of a vector, signed by {@link key}, and the UTXOs that it spends. All inputs and
 * operations belong to that key.
 */
function signedBy(name: string): { tx: AvmTx.AvmTx; utxos: AvmUtxo[] } {
  const { unsignedTx } = AvmTx.decode(
    Hex.decode(cases('avm-txs', 'valid').find((c) => c.name === name)?.bytes),
  )
  const inputs = unsignedTx.inputs.map((item) => ({ ...item, input: { ...item.input, ...byKey } }))
  const imported = 'importedInputs' in unsignedTx ? unsignedTx.importedInputs : []
  const importedInputs = imported.map((item) => ({ ...item, input: { ...item.input, ...byKey } }))
  const operations = ('operations' in unsignedTx ? unsignedTx.operations : []).map((item) => ({
    ...item,
    operation: owned(item.operation),
  }))
  const changed = { ...unsignedTx, inputs, importedInputs, operations } as unknown as AvmTx.UnsignedTx
  const signature = Signature.signMessage(AvmTx.encodeUnsigned(changed), key)
  const credentials = [
    ...[...inputs, ...importedInputs].map(() => 'Credential'),
    ...operations.map(({ operation: { type } }) =>
      type.startsWith('Nft')
        ? 'NftCredential'
        : type.startsWith('Property')
          ? 'PropertyCredential'
          : 'Credential',
    ),
  ].map((type) => ({ type, signatures: [signature] }) as AvmCredential)
  const utxos: AvmUtxo[] = [
    ...[...inputs, ...importedInputs].map(
      ({ txID: txId, outputIndex, assetID: assetId, input: { amount } }) => ({
        ...{ txID: txId, outputIndex, assetID: assetId },
        output: { type: 'TransferOutput' as const, amount, ...owners },
      }),
    ),
    ...operations.flatMap(({ assetID: assetId, inputIDs: inputIds, operation }) =>
      inputIds.map((id) => ({ ...id, assetID: assetId, output: heldFor(operation) })),
    ),
  ]
  return { tx: { unsignedTx: changed, credentials }, utxos }
}

function check(tx: AvmTx.AvmTx, utxos: readonly AvmUtxo[], time = 5n): void {
  const utxo = (id: UtxoId.UtxoId) => utxos.find((item) => UtxoId.compare(item, id) === 0)
  AvmCredentials.assertValid(AvmTx.encode(tx), tx, { time, utxo })
}

const NAMES = ['BaseTx: simple', 'ImportTx: simple', 'ExportTx: simple', 'OperationTx all operations: simple']

it('accepts the signatures of recorded transactions', () => {
  const made: AvmUtxo[] = []
  let checked = 0
  for (const recorded of cases('recorded-x-c', 'xBlock')) {
    for (const tx of AvmBlock.decode(CheckedHex.decode(recorded.bytes)).txs) {
      const isKnown = AvmTx.spent(tx).every((id) => made.some((utxo) => UtxoId.compare(utxo, id) === 0))
      if (isKnown) check(tx, made, BigInt(recorded['json'].match(/"time":([0-9]+)/)[1]))
      checked += isKnown ? 1 : 0
      made.push(...AvmUtxoOf.of(tx, AvmTx.id(AvmTx.encode(tx))))
    }
  }
  // The first transaction, which spends the genesis, and imports, which spend UTXOs of other chains, are not
  // checked.
  expect(checked).toBeGreaterThan(25)
})

describe.each(NAMES)('%s', (name) => {
  const { tx, utxos } = signedBy(name)
  const refused = (work: () => void, code: string) => expect(work).toThrow(expect.objectContaining({ code }))

  it('accepts the owners’ signatures', () => {
    check(tx, utxos)
  })

  it('rejects a UTXO that is missing or locked, or that differs from the input in its asset', () => {
    utxos.forEach((utxo, i) => {
      refused(() => check(tx, utxos.toSpliced(i, 1)), 'TXS_UTXO')
      refused(
        () => check(tx, utxos.with(i, { ...utxo, assetID: new Uint8Array(32).fill(9) })),
        'TXS_ASSET_ID',
      )
    })
    refused(() => check(tx, utxos, 4n), 'TXS_LOCKED')
  })

  it('rejects a UTXO whose content differs from what the input or operation spends', () => {
    utxos.forEach((utxo, i) => {
      const others: AvmFx.State[] = [
        { type: 'TransferOutput', amount: 1n, ...owners },
        { type: 'MintOutput', ...owners, locktime: 4n },
        { type: 'PropertyMintOutput', ...owners, locktime: 4n },
        { type: 'NftMintOutput', groupID: 1, ...owners },
        { type: 'NftTransferOutput', groupID: 3, payload: Uint8Array.of(1), ...owners },
      ]
      for (const output of others) refused(() => check(tx, utxos.with(i, { ...utxo, output })), 'TXS_UTXO')
    })
  })

  it('rejects a missing credential, a credential of the wrong feature extension, and a signature by the wrong key', () => {
    refused(() => check({ ...tx, credentials: tx.credentials.slice(1) }, utxos), 'TXS_CREDENTIAL')
    tx.credentials.forEach((credential, i) => {
      const other = credential.type === 'NftCredential' ? 'PropertyCredential' : 'NftCredential'
      const changed = [
        [{ ...credential, type: other }, 'TXS_CREDENTIAL'],
        [{ type: 'PropertyBurnOperation', ...byKey }, 'TXS_CREDENTIAL'],
        [{ ...credential, signatures: [] }, 'TXS_SIGNERS'],
        [{ ...credential, signatures: [Signature.signMessage(new Uint8Array(), key)] }, 'TXS_SIGNATURE'],
      ] as const
      for (const [value, code] of changed) {
        refused(
          () => check({ ...tx, credentials: tx.credentials.with(i, value as AvmCredential) }, utxos),
          code,
        )
      }
    })
  })
})

it('rejects an operation that spends two UTXOs', () => {
  const { tx, utxos } = signedBy('OperationTx all operations: simple')
  if (tx.unsignedTx.type !== 'OperationTx') throw new TypeError('expected operations')
  const operations = tx.unsignedTx.operations.map((item) => ({
    ...item,
    inputIDs: [...item.inputIDs, ...item.inputIDs],
  }))
  // Without inputs, whose signatures would be checked first and are not for these bytes.
  const credentials = tx.credentials.slice(tx.unsignedTx.inputs.length)
  const twice = { credentials, unsignedTx: { ...tx.unsignedTx, inputs: [], operations } }
  expect(() => check(twice, utxos)).toThrow(expect.objectContaining({ code: 'TXS_UTXO' }))
})
