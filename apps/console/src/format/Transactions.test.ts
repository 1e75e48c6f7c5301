import { expect, test } from 'vitest'
import { feeOf, methodOf } from './Transactions.ts'

test('feeOf returns exact fees beyond the range of doubles', () => {
  expect(feeOf({ gasUsed: '9007199254740993', gasPrice: '25000000001' })).toBe(
    9007199254740993n * 25000000001n,
  )
})

test.each([
  [
    'transfer',
    { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb', methodName: 'transfer(address,uint256)' },
  ],
  ['0x12345678', { callType: 'CONTRACT_CALL', methodHash: '0x12345678' }],
  ['Native transfer', { callType: 'NATIVE_TRANSFER', methodHash: '' }],
  ['Contract creation', { callType: 'CONTRACT_CREATION', methodHash: '' }],
] as const)('methodOf names %s', (name, method) => {
  expect(methodOf({ method })).toBe(name)
})
