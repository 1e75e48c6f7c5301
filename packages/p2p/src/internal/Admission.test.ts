import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../Timers.ts'
import { ADMISSION, Admission, type AdmissionLimits } from './Admission.ts'

function rig(limits: Partial<AdmissionLimits>) {
  const timers = createManualTimers()
  return { timers, admission: new Admission({ ...ADMISSION, ...limits }, timers) }
}

describe('Admission.take', () => {
  it('delays connections beyond the burst, so that the accept rate is not exceeded', () => {
    const { timers, admission } = rig({ acceptsPerSecond: 10, acceptsBurst: 2 })
    expect([0, 1, 2, 3].map(() => admission.take())).toEqual([0, 0, 100, 200])
    timers.advance(300)
    expect([0, 1].map(() => admission.take())).toEqual([0, 100])
  })

  it('never accumulates more than the burst while idle', () => {
    const { timers, admission } = rig({ acceptsPerSecond: 10, acceptsBurst: 2 })
    timers.advance(60_000)
    expect([0, 1, 2].map(() => admission.take())).toEqual([0, 0, 100])
  })
})

describe('Admission.isWelcome', () => {
  it('lets an address connect again when its cooldown is over', () => {
    const { timers, admission } = rig({ cooldownMs: 1_000 })
    expect(admission.isWelcome('192.0.2.1')).toBe(true)
    timers.advance(999)
    expect([admission.isWelcome('192.0.2.1'), admission.isWelcome('192.0.2.2')]).toEqual([false, true])
    timers.advance(1)
    expect([admission.isWelcome('192.0.2.1'), admission.isWelcome('192.0.2.2')]).toEqual([true, false])
  })

  it('refuses new addresses while it remembers too many addresses', () => {
    const { timers, admission } = rig({ cooldownMs: 1_000, cooldownAddresses: 2 })
    const welcome = [1, 2, 3].map((n) => admission.isWelcome(`192.0.2.${n}`))
    expect(welcome).toEqual([true, true, false])
    timers.advance(1_000)
    expect(admission.isWelcome('192.0.2.3')).toBe(true)
  })

  it('exempts loopback addresses, or every address if there is no cooldown', () => {
    const twice = (limits: Partial<AdmissionLimits>, host: string) => {
      const { admission } = rig(limits)
      return [admission.isWelcome(host), admission.isWelcome(host)]
    }
    expect(twice({}, '127.0.0.1')).toEqual([true, true])
    expect(twice({ exemptLoopback: false }, '127.0.0.1')).toEqual([true, false])
    expect(twice({ cooldownMs: 0 }, '192.0.2.1')).toEqual([true, true])
  })
})
