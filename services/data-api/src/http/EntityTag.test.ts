import { describe, expect, test } from 'vitest'
import * as EntityTag from './EntityTag.ts'

const tag = EntityTag.create('{"height":"85"}')
const opaque = tag.slice(2)

describe('isNamedBy', () => {
  test.each([
    ['the tag itself', tag],
    ['the strong tag with the same opaque part', opaque],
    ['a list', `"other", ${tag}`],
    ['a list without blanks', `W/"other",${opaque},"third"`],
    ['a list with tags that contain commas', `"a,b" , ${tag}`],
    ['a list with empty elements', `"other",, ${tag} ,`],
    ['a wildcard', '*'],
    ['a wildcard surrounded by blanks', ' * '],
  ])('matches the If-None-Match header: %s', (_name, header) => {
    expect(EntityTag.isNamedBy(header, tag)).toBe(true)
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another tag', '"other"'],
    ['the opaque part without quotes', opaque.slice(1, -1)],
    ['a lowercase weak prefix', `w/${opaque}`],
    ['tags without a separator', `"other"${opaque}`],
    ['a list with a wildcard in it', '"other", *'],
    ['a tag that is part of a longer tag', `"x${opaque.slice(1)}`],
  ])('does not match the If-None-Match header: %s', (_name, header) => {
    expect(EntityTag.isNamedBy(header, tag)).toBe(false)
  })
})

test('creates the same weak tag for the same text and different tags for different texts', () => {
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
  expect(EntityTag.create('{"height":"85"}')).toBe(tag)
  expect(EntityTag.create('{"height":"86"}')).not.toBe(tag)
})
