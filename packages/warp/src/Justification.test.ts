import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Justification from './Justification.ts'
import { cases, codeOf, recordings } from './testing/vectors.ts'

interface Golden {
  readonly bytes: string
  readonly ok?: boolean
  readonly convertSubnetToL1TxData?: { readonly subnetID: string; readonly index: number }
  readonly registerL1ValidatorMessage?: string
  readonly validationID?: string
}

function expectedOf(golden: Golden): Justification.Justification | null {
  const { convertSubnetToL1TxData: conversion, registerL1ValidatorMessage: message } = golden
  if (message !== undefined) return { type: 'RegisterL1ValidatorMessage', message: Hex.decode(message) }
  if (conversion === undefined) return null
  return {
    type: 'ConvertSubnetToL1TxData',
    subnetId: Hex.decode(conversion.subnetID),
    index: conversion.index,
  }
}

test.each(cases<Golden>('justification'))('matches the golden justification $bytes', (golden) => {
  const value = expectedOf(golden)
  expect(Justification.decode(Hex.decode(golden.bytes))).toEqual(value)
  if (value === null) return
  expect(Hex.encode(Justification.encode(value))).toBe(golden.bytes)
  expect(Hex.encode(Justification.validationId(value))).toBe(golden.validationID)
})

test.each(cases<Golden>('justificationDecode'))(
  'accepts or rejects mutated bytes like the reference: $name',
  (golden) => {
    const decode = () => Justification.decode(Hex.decode(golden.bytes))
    expect(codeOf(decode)).toBe(golden.ok ? undefined : 'WARP_PROTOBUF')
    if (golden.ok) expect(decode()).toEqual(expectedOf(golden))
  },
)

test('decodes recorded justifications and encodes them to the same bytes', () => {
  const recorded = recordings().flatMap(({ justification }) =>
    justification === undefined || justification.length === 66 ? [] : [justification],
  )
  expect(recorded.length).toBeGreaterThan(3)
  for (const text of recorded) {
    const value = Justification.decode(Hex.decode(text)) as Justification.Justification
    expect(Hex.encode(Justification.encode(value))).toBe(text)
  }
})

describe('protobuf semantics', () => {
  const subnet = `0a20${'11'.repeat(32)}`

  test('merges a conversion that occurs twice in a row', () => {
    const merged = Justification.decode(Hex.decode(`0x0a22${subnet}0a021007`))
    expect(merged).toEqual({
      type: 'ConvertSubnetToL1TxData',
      subnetId: new Uint8Array(32).fill(0x11),
      index: 7,
    })
  })

  test('does not merge two conversions that have a registration between them', () => {
    const last = Justification.decode(Hex.decode(`0x0a22${subnet}1201ff0a021007`))
    expect(last).toEqual({ type: 'ConvertSubnetToL1TxData', subnetId: new Uint8Array(), index: 7 })
  })

  test('drops the high bits of an index beyond 32 bits', () => {
    expect(Justification.decode(Hex.decode('0x0a06108380808020'))).toMatchObject({ index: 3 })
    expect(Justification.decode(Hex.decode('0x0a0610ffffffff0f'))).toMatchObject({ index: 2 ** 32 - 1 })
  })

  test('rejects a subnet id that is not 32 bytes long when computing the validation id', () => {
    const short: Justification.Justification = {
      type: 'ConvertSubnetToL1TxData',
      subnetId: new Uint8Array(31),
      index: 0,
    }
    expect(codeOf(() => Justification.validationId(short))).toBe('WARP_JUSTIFICATION')
  })
})
