import { describe, expect, test } from 'vitest'
import { classify, type Kind } from './Classify.ts'

const CASES: readonly (readonly [text: string, kind: Kind])[] = [
  ['85', 'height'],
  ['1,234,567', 'height'],
  ['NodeID-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNA', 'nodeId'],
  ['nodeid-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNA', 'nodeId'],
  ['P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', 'address'],
  ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', 'address'],
  ['0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC', 'evmAddress'],
  ['8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC', 'evmAddress'],
  ['2ZGgL8Q17xdVr5kKyPPnUZwBDSpkz8ApCU8x9YSWQQ14QtbdPM', 'id'],
  ['11111111111111111111111111111111LpoYY', 'id'],
  ['0x15e8fd30f9252ae72e2fd4fe57741f9f78eab587224c036533d7352f7352f891', 'hash'],
  [`0x0000${'00003039'}${'ab'.repeat(32)}${'00000002'}cafe`, 'warpMessage'],
  ['NodeID-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNB', 'unknown'],
  ['2ZGgL8Q17xdVr5kKyPPnUZwBDSpkz8ApCU8x9YSWQQ14QtbdPN', 'unknown'],
  ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96q', 'unknown'],
  [`0x0000${'00003039'}${'ab'.repeat(32)}${'00000003'}cafe`, 'unknown'],
  ['<script>alert(1)</script>', 'unknown'],
  ['', 'unknown'],
]

describe('classify', () => {
  test.each(CASES)('says of %j that it is: %s', (text, kind) => {
    expect(classify(` ${text} `).kind).toBe(kind)
  })

  test('names a wrong checksum', () => {
    expect(classify('2ZGgL8Q17xdVr5kKyPPnUZwBDSpkz8ApCU8x9YSWQQ14QtbdPN').title).toBe(
      'Id with a wrong checksum',
    )
  })
})
