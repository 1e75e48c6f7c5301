import { Id } from '@firn/codec'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAliases } from './Aliases.ts'

const ids = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte))
const id = fc.constantFrom(...ids)
const alias = fc.oneof(
  fc.constantFrom(
    'X',
    'avm',
    '',
    'x',
    'X ',
    '__proto__',
    'constructor',
    'é',
    Id.format(ids[0] as Uint8Array),
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

test('maps each alias to one chain, keeps the order of aliases, and calls all listeners', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, alias), { maxLength: 30 }), (additions) => {
      const aliases = createAliases()
      const given: [Uint8Array, string][] = []
      let heard = 0
      const stop = aliases.onChange(() => {
        heard += 1
      })
      for (const [of, name] of additions) {
        const isTaken = given.some(([, known]) => known === name)
        const add = () => aliases.add(of, name)
        if (isTaken) expect(add).toThrow(`alias already mapped to an ID: ${name}`)
        else {
          add()
          given.push([of, name])
        }
        for (const [holder, known] of given) expect(aliases.lookup(known)?.id).toEqual(holder)
      }
      for (const one of ids) {
        const own = given.filter(([holder]) => holder === one).map(([, name]) => name)
        expect(aliases.aliases(one)).toEqual(own.length === 0 ? undefined : own)
        expect(aliases.primaryAlias(one)).toBe(own[0] ?? Id.format(one))
      }
      expect(aliases.chains()).toEqual([...new Set(given.map(([holder]) => holder))])
      expect(heard).toBe(given.length)
      stop()
      aliases.add(ids[0] as Uint8Array, 'a name that is long enough to be new')
      expect(heard).toBe(given.length)
    }),
  )
})

test('returns undefined for an unknown alias', () => {
  fc.assert(
    fc.property(alias, (name) => {
      const aliases = createAliases()
      expect(aliases.lookup(name)).toBeUndefined()
      aliases.add(ids[1] as Uint8Array, `${name}.`)
      expect(aliases.lookup(name)).toBeUndefined()
    }),
  )
})
