import { describe, expect, it } from 'vitest'
import { addDetails, FirnError, isFirnError } from './FirnError.ts'

describe('FirnError', () => {
  it('has empty details and no cause by default', () => {
    const error = new FirnError('X_FAILED', 'It failed.')
    expect(error).toMatchObject({ code: 'X_FAILED', message: 'It failed.', details: {} })
    expect(error).not.toHaveProperty('cause')
  })

  it('keeps the given details and cause', () => {
    const cause = new Error('why')
    expect(new FirnError('X_FAILED', 'It failed.', { details: { at: 1 }, cause })).toMatchObject({
      details: { at: 1 },
      cause,
    })
  })
})

describe('isFirnError', () => {
  it.each([
    [true, 'an error of Firn', new FirnError('X_FAILED', 'It failed.')],
    [true, 'an error of another copy of Firn', Object.assign(new Error('x'), { code: 'X', details: {} })],
    [false, "one of Node's errors", Object.assign(new Error('x'), { code: 'ENOENT' })],
    [false, 'an error without a code', Object.assign(new Error('x'), { details: {} })],
    [false, 'an error with a number as its code', Object.assign(new Error('x'), { code: 1, details: {} })],
    [false, 'an object that is not an error', { code: 'X', details: {} }],
    [false, 'null', null],
  ])('returns %s for %s', (expected, _name, error) => {
    expect(isFirnError(error)).toBe(expected)
  })
})

describe('addDetails', () => {
  it('adds details to the error itself, and keeps those that it has', () => {
    const error = new FirnError('X_FAILED', 'It failed.', { details: { at: 1 } })
    expect(addDetails(error, { at: 2, part: 'input' })).toBe(error)
    expect(error.details).toEqual({ at: 1, part: 'input' })
  })

  it('leaves other errors alone', () => {
    const error = new TypeError('x')
    expect(addDetails(error, { part: 'input' })).toBe(error)
    expect(error).not.toHaveProperty('details')
  })
})
