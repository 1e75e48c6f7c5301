import { CodecError } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { Case, Outcome, Suite } from './index.ts'

/** A suite whose cases tell what the code does: give a value, refuse with a type, or throw a bare error. */
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

describe('verdicts', () => {
  it.each([
    ['gives what is expected', { does: 'give', ok: true, value }],
    ['refuses with a type what must be refused', { does: 'refuse', ok: false, error: 'any label' }],
  ])('passes when the code %s', (_name, fields) => {
    expect(run(fields)).toEqual({ status: 'passed' })
  })

  it.each([
    ['accepts what must be refused', { does: 'give', ok: false }, 'ok'],
    ['refuses what must be accepted', { does: 'refuse', ok: true, value }, 'ok'],
    ['throws a bare error where it must refuse', { does: 'crash', ok: false }, 'refusal'],
    ['throws a bare error where it must accept', { does: 'crash', ok: true, value }, 'refusal'],
    ['gives another number', { does: 'give', ok: true, value: { ...value, list: [1, '3'] } }, 'value.list.1'],
    ['gives a member more', { does: 'give', ok: true, value: { list: [1, '2'] } }, 'value.bytes'],
    ['gives a member less', { does: 'give', ok: true, value: { ...value, more: 1 } }, 'value.more'],
  ])('fails when the code %s', (_name, fields, where) => {
    expect(run(fields)).toMatchObject({ status: 'failed', where })
  })

  it('fails on a case that lacks its expected value, or its verdict', () => {
    expect(run({ does: 'give', ok: true }).status).toBe('failed')
    expect(run({ does: 'give', value }).status).toBe('failed')
    expect(run({ ok: true, value }).status).toBe('failed')
  })

  it('skips with the reason', () => {
    expect(suite.run({ name: 'x', kind: 'skip' }, [])).toEqual({ status: 'skipped', reason: 'a reason' })
  })
})
