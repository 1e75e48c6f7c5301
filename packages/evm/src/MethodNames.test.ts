import { Hex } from '@firn/codec'
import { expect, test } from 'vitest'
import { MethodNames } from './index.ts'

// The selectors are copied from the standards ERC-20, ERC-721 and ERC-1155.
test.each([
  ['0xa9059cbb', 'transfer(address,uint256)'],
  ['0x23b872dd', 'transferFrom(address,address,uint256)'],
  ['0x095ea7b3', 'approve(address,uint256)'],
  ['0x42842e0e', 'safeTransferFrom(address,address,uint256)'],
  ['0xb88d4fde', 'safeTransferFrom(address,address,uint256,bytes)'],
  ['0xf242432a', 'safeTransferFrom(address,address,uint256,uint256,bytes)'],
  ['0x2eb2c2d6', 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'],
  ['0xa22cb465', 'setApprovalForAll(address,bool)'],
])('maps the selector %s to %s', (selector, signature) => {
  expect(MethodNames.of(Hex.decode(selector))).toBe(signature)
  expect(Hex.encode(MethodNames.selectorOf(signature))).toBe(selector)
})

test.each(['0x', '0xa9059c', '0x00000000'])('returns undefined for the unknown selector %s', (selector) => {
  expect(MethodNames.of(Hex.decode(selector))).toBeUndefined()
})
