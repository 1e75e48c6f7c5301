import { describe, expect, it } from 'vitest'
import { createOwner, withOwner } from './Owner.ts'

const recording = () => {
  const closed: string[] = []
  const resource = (name: string, error?: Error) => ({
    name,
    close: async () => {
      await Promise.resolve()
      closed.push(name)
      if (error !== undefined) throw error
    },
  })
  return { closed, resource }
}

describe('createOwner', () => {
  it('returns the resources that it takes, and undefined for an unused one', () => {
    const { resource } = recording()
    const owner = createOwner()
    const database = resource('database')
    expect(owner.own(database)).toBe(database)
    expect(owner.own(undefined)).toBeUndefined()
  })

  it('closes resources and steps one after the other, in reverse order', async () => {
    const { closed, resource } = recording()
    const owner = createOwner()
    owner.own(resource('database'))
    owner.onClose(() => closed.push('step'))
    owner.own(resource('server'))
    expect(closed).toEqual([])
    await owner.close()
    expect(closed).toEqual(['server', 'step', 'database'])
  })

  it('closes each resource once, and every caller waits for the last one', async () => {
    const { closed, resource } = recording()
    const owner = createOwner()
    owner.own(resource('database'))
    owner.own(resource('server'))
    const first = owner.close()
    await owner.close()
    expect(closed).toEqual(['server', 'database'])
    await first
    await owner.close()
    expect(closed).toEqual(['server', 'database'])
  })

  it('closes the others if one fails, and throws its error', async () => {
    const { closed, resource } = recording()
    const owner = createOwner()
    const error = new Error('disk full')
    owner.own(resource('database'))
    owner.own(resource('log', error))
    owner.own(resource('server'))
    await expect(owner.close()).rejects.toBe(error)
    expect(closed).toEqual(['server', 'log', 'database'])
  })

  it('throws all errors if several resources fail', async () => {
    const { resource } = recording()
    const owner = createOwner()
    const [first, second] = [new Error('disk full'), new Error('reset')]
    owner.own(resource('database', second))
    owner.onClose(() => {
      throw first
    })
    await expect(owner.close()).rejects.toMatchObject({ errors: [first, second] })
  })

  it('closes a resource that is opened while others are closing', async () => {
    const { closed, resource } = recording()
    const owner = createOwner()
    owner.onClose(() => owner.own(resource('late')))
    await owner.close()
    expect(closed).toEqual(['late'])
  })

  it('closes at once what is added after it has closed', async () => {
    const { closed, resource } = recording()
    const owner = createOwner()
    await owner.close()
    owner.own(resource('late'))
    owner.own(resource('failing', new Error('cannot close')))
    await expect.poll(() => closed).toEqual(['late', 'failing'])
  })

  it('waits for a resource that closes its owner', async () => {
    const { closed, resource } = recording()
    const owner = createOwner()
    owner.own(resource('database'))
    const server = resource('server')
    owner.onClose(async () => {
      void owner.close()
      await server.close()
    })
    await owner.close()
    expect(closed).toEqual(['server', 'database'])
  })
})

describe('withOwner', () => {
  it('leaves the resources open after a start, until they are closed', async () => {
    const { closed, resource } = recording()
    const { name, close } = await withOwner(async (owner) => {
      const { name } = owner.own(resource('database'))
      return { name, close: owner.close }
    })
    expect([name, closed]).toEqual(['database', []])
    await close()
    expect(closed).toEqual(['database'])
  })

  it('closes what is open after a failed start, and throws the error of the start', async () => {
    const { closed, resource } = recording()
    const error = new Error('port in use')
    const start = withOwner(async (owner) => {
      owner.own(resource('database', new Error('disk full')))
      owner.own(resource('cache'))
      throw error
    })
    await expect(start).rejects.toBe(error)
    expect(closed).toEqual(['cache', 'database'])
  })
})
