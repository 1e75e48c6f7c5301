import { Hex, Id } from '@firn/codec'
import { expect, test } from 'vitest'
import * as ConversionData from './ConversionData.ts'
import { cases, codeOf } from './testing/vectors.ts'
import * as ValidationId from './ValidationId.ts'

interface Golden {
  readonly fields: {
    readonly SubnetID: string
    readonly ManagerChainID: string
    readonly ManagerAddress: string
    readonly Validators: readonly {
      readonly NodeID: string
      readonly BLSPublicKey: string
      readonly Weight: string
    }[]
  }
  readonly bytes: string
  readonly conversionID: string
  readonly validationIDs: readonly string[]
}

test.each(cases<Golden>('conversionID'))(
  'matches the golden conversion of subnet $fields.SubnetID',
  ({ fields, bytes, conversionID: conversionId, validationIDs: validationIds }) => {
    const data = {
      subnetID: Hex.decode(fields.SubnetID),
      managerChainID: Hex.decode(fields.ManagerChainID),
      managerAddress: Hex.decode(fields.ManagerAddress),
      validators: fields.Validators.map(({ NodeID: NodeId, BLSPublicKey, Weight }) => ({
        nodeID: Hex.decode(NodeId),
        blsPublicKey: Hex.decode(BLSPublicKey),
        weight: BigInt(Weight),
      })),
    }
    expect(Hex.encode(ConversionData.encode(data))).toBe(bytes)
    expect(ConversionData.decode(Hex.decode(bytes))).toEqual(data)
    expect(Id.format(ConversionData.id(data))).toBe(conversionId)
    expect(data.validators.map((_, i) => ValidationId.initial(data.subnetID, i)).map(Id.format)).toEqual(
      validationIds,
    )
  },
)

test("computes the conversion id and validation ids of the specification's example", () => {
  const data: ConversionData.ConversionData = {
    subnetID: new Uint8Array(32).fill(0x11),
    managerChainID: new Uint8Array(32).fill(0x22),
    managerAddress: new Uint8Array(20).fill(0x33),
    validators: [
      {
        nodeID: Hex.decode('0x479f66c8be895830547e70b4b298cafd433dba6e'),
        blsPublicKey: Hex.decode(
          '0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d',
        ),
        weight: 100n,
      },
    ],
  }
  expect(ConversionData.encode(data).length).toBe(174)
  expect(Hex.encodeBare(ConversionData.id(data))).toBe(
    'fea41456fb2bdd51bdf44083650f7f171a194b7e9bdc953c421608cbf99c695d',
  )
  expect(Hex.encodeBare(ValidationId.initial(data.subnetID, 0))).toBe(
    '075fce99a18c5a946572efe571afdbc79505361d2e43f8ed10b9b4c47f64538e',
  )
})

test('rejects a length that the bytes cannot hold before allocating memory', () => {
  const head = `0x0000${'11'.repeat(32)}${'22'.repeat(32)}00000000`
  expect(codeOf(() => ConversionData.decode(Hex.decode(`${head}ffffffff`)))).toBe('CODEC_LENGTH')
  expect(codeOf(() => ConversionData.decode(Hex.decode(`${head}00ffffff`)))).toBe('CODEC_TRUNCATED')
})
