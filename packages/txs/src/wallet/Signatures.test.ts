import { Bytes, Hex } from '@firn/codec'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { describe, expect, it } from 'vitest'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import * as Describe from '../Describe.ts'
import * as PlatformTx from '../platform/PlatformTx.ts'
import type { PlatformUtxo } from '../platform/PlatformUtxo.ts'
import * as Signatures from './Signatures.ts'
import * as Signing from './Signing.ts'

/** A P-chain transfer of a UTXO of two owners, of whom one has signed. */
const UNSIGNED =
  '0x0000000000220000000100000000000000000000000000000000000000000000000000000000000000000000000221e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff00000007000000003b9aca0000000000000000000000000100000001670caa79e51d78ed0c583b89ff39d9c49b7199e721e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff0000000700000000ee6af8c0000000000000000000000001000000011cfef3571aad5bf16174e9d39928ad1a571676930000000101010101010101010101010101010101010101010101010101010101010101010000000021e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff00000005000000012a05f20000000002000000000000000100000000'
const SIGNATURE =
  'c01a5dd6c7413597994bfc6df3b3dda6dc7117d71740b5be4c133877780cd89d276b213a42c31b63dcf6d8daa988c870f3e5ad317289fa6b0e2e0db01e05649c003297440a'.slice(
    0,
    130,
  )
const HALF_SIGNED = `${UNSIGNED}000000010000000900000002${'00'.repeat(65)}${SIGNATURE}`
const BOB = 'P-avax1vux25709r4uw6rzc8wyl7wwecjdhrx08h0gkk5'
const ALICE = 'P-avax1rnl0x4c644dlzct5a8fej29drft3va5nyuy96p'
const OWNERS = ['1cfef3571aad5bf16174e9d39928ad1a57167693', '670caa79e51d78ed0c583b89ff39d9c49b7199e7']

const bytes = Hex.decode(HALF_SIGNED)
const assetId = PlatformTx.inputs(PlatformTx.decode(bytes))[0]?.assetID as Uint8Array
const utxos: PlatformUtxo[] = [
  {
    txID: new Uint8Array(32).fill(1),
    outputIndex: 0,
    assetID: assetId,
    output: {
      type: 'TransferOutput',
      amount: 5_000_000_000n,
      locktime: 0n,
      threshold: 2,
      addresses: OWNERS.map((one) => Hex.decodeBare(one)),
    },
  },
]
const NOBODY = { signedBy: [], missing: [], missingUnknown: 0, strangers: [], malformed: 0 }

describe('Signatures.of', () => {
  it('names who has signed, and who is missing if the UTXO is known', () => {
    expect(Signatures.of('P', bytes)).toEqual({ ...NOBODY, signedBy: [BOB], missingUnknown: 1 })
    expect(Signatures.of('P', bytes, { utxos })).toEqual({ ...NOBODY, signedBy: [BOB], missing: [ALICE] })
  })

  it('names the missing signers of a transaction without credentials', () => {
    const unsigned = Hex.decode(UNSIGNED)
    expect(Signatures.of('P', unsigned)).toEqual({ ...NOBODY, missingUnknown: 2 })
    expect(Signatures.of('P', unsigned, { utxos })).toEqual({ ...NOBODY, missing: [ALICE, BOB] })
  })

  it('names strangers, and counts values that are no signatures', () => {
    const key = new Uint8Array(32).fill(7)
    const stranger = Signature.sign(Signing.hash(Signing.decode('P', bytes, { utxos })), key)
    const tx = PlatformTx.decode(bytes)
    const credentials = [
      { type: 'Credential' as const, signatures: [stranger, new Uint8Array(65).fill(255)] },
    ]
    const found = Signatures.of('P', PlatformTx.encode({ ...tx, credentials }), { utxos })
    expect(found).toEqual({ ...NOBODY, strangers: [expect.stringContaining('P-avax1')], malformed: 1 })
    expect(PublicKey.address(PrivateKey.publicKey(key))).toHaveLength(20)
  })

  it('reports signatures that no input needs as signatures of strangers', () => {
    const tx = PlatformTx.decode(bytes)
    const more = PlatformTx.encode({ ...tx, credentials: [...tx.credentials, ...tx.credentials] })
    expect(Signatures.of('P', more, { utxos })).toMatchObject({ signedBy: [BOB], strangers: [BOB] })
  })
})

describe('Signing', () => {
  it('continues with the bytes of a hardware wallet or custodian, which have no credentials', () => {
    const draft = Signing.decode('P', Hex.decode(UNSIGNED), { utxos })
    expect(Signing.missing(draft)).toHaveLength(2)
    const attached = Signing.attach(draft, Hex.decodeBare(SIGNATURE))
    expect(Signing.encodePartial(attached)).toEqual(bytes)
  })

  it('names the signer that it expected', () => {
    const others = utxos.map((utxo) => ({
      ...utxo,
      output: {
        ...utxo.output,
        addresses: [OWNERS[0], '70'.repeat(20)].map((one) => Hex.decodeBare(`${one}`)),
      },
    })) as PlatformUtxo[]
    expect(() => Signing.decode('P', bytes, { utxos: others })).toThrow(
      expect.objectContaining({
        code: 'TXS_SIGNATURE',
        message: expect.stringContaining(`got one by ${BOB}`),
      }),
    )
  })
})

describe('Describe', () => {
  it('recognizes unsigned transactions of all chains', () => {
    const chain = { networkID: 1, blockchainID: new Uint8Array(32).fill(2) }
    const base = { ...chain, outputs: [], inputs: [], memo: new Uint8Array() }
    const accounts = [{ address: new Uint8Array(20).fill(3), amount: 5n, assetID: assetId, nonce: 4n }]
    const exported = { destinationChain: chain.blockchainID, inputs: accounts, exportedOutputs: [] }
    const transactions = [
      Hex.decode(UNSIGNED),
      AvmTx.encodeUnsigned({ type: 'BaseTx', ...base } as never),
      AtomicTx.encodeUnsigned({ type: 'ExportTx', ...chain, ...exported } as never),
    ]
    const trees = transactions.map((one) => Describe.tree(one))
    expect(trees.map(({ kind }) => kind)).toEqual([
      'P-chain unsigned transaction',
      'X-chain unsigned transaction',
      'C-chain unsigned atomic transaction',
    ])
    expect(trees[0]).toMatchObject({ signatures: { missingUnknown: 2 } })
    expect(trees[0]).not.toHaveProperty('id')
    expect(trees[2]).toMatchObject({ signatures: { missing: [`0x${'03'.repeat(20)}`] } })
  })

  it('says who has signed a transaction', () => {
    expect(Describe.tree(bytes)).toMatchObject({ signatures: { signedBy: [BOB], missingUnknown: 1 } })
    expect(Describe.tree(bytes, { utxos })).toMatchObject({ signatures: { missing: [ALICE] } })
  })

  it('says what bytes come closest to', () => {
    expect(Describe.closest(bytes.subarray(0, -1))).toMatch(/^P-chain transaction: /)
    expect(Describe.closest(Bytes.concat(Hex.decode(UNSIGNED), Uint8Array.of(1)))).toMatch(/^P-chain /)
  })
})
