import { CodecError } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { Case, Outcome, Suite } from './index.ts'

/**
 * A suite whose cases specify what the tested code does: return a value, throw a typed error, or throw an
 * untyped error.
 */
const suite = Suite.create('test.json', {
  run(it) {
    const does = Case.text(it, 'does')
    const accepted = Case.verdict(it, () => {
      if (does === 'refuse') throw new CodecError('CODEC_HEX', 'expected hex')
      if (does === 'crash') throw new TypeError('not a function')
      return { list: [1, 2n], bytes: Uint8Array.of(7) }
    })
    if (accepted !== undefined) Case.equals(it, 'value', accepted.value)
    return undefined
  },
  skip: () => Outcome.skipped('a reason'),
})

const value = { list: [1, '2'], bytes: '0x07' }
const run = (fields: Case.RawCase) => suite.run({ name: 'x', kind: 'run', ...fields }, [])

describe('verdicts of a suite', () => {
  it.each([
    ['returns the expected value', { does: 'give', ok: true, value }],
    ['rejects with a typed error what must be rejected', { does: 'refuse', ok: false, error: 'any label' }],
  ])('passes a case if the code %s', (_name, fields) => {
    expect(run(fields)).toEqual({ status: 'passed' })
  })

  it.each([
    ['accepts what must be rejected', { does: 'give', ok: false }, 'ok'],
    ['rejects what must be accepted', { does: 'refuse', ok: true, value }, 'ok'],
    ['throws an untyped error where it must reject', { does: 'crash', ok: false }, 'refusal'],
    ['throws an untyped error where it must accept', { does: 'crash', ok: true, value }, 'refusal'],
    [
      'returns another number',
      { does: 'give', ok: true, value: { ...value, list: [1, '3'] } },
      'value.list.1',
    ],
    ['returns an extra member', { does: 'give', ok: true, value: { list: [1, '2'] } }, 'value.bytes'],
    ['omits a member', { does: 'give', ok: true, value: { ...value, more: 1 } }, 'value.more'],
  ])('fails a case if the code %s', (_name, fields, where) => {
    expect(run(fields)).toMatchObject({ status: 'failed', where })
  })

  it('fails a case without an expected value or an expected verdict', () => {
    expect(run({ does: 'give', ok: true }).status).toBe('failed')
    expect(run({ does: 'give', value }).status).toBe('failed')
    expect(run({ ok: true, value }).status).toBe('failed')
  })

  it('reports the reason of a skipped case', () => {
    expect(suite.run({ name: 'x', kind: 'skip' }, [])).toEqual({ status: 'skipped', reason: 'a reason' })
  })
})
