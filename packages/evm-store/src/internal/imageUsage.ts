import type { Session } from '@firn/sql'
import type { ImageUsage } from '../ImageQueue.ts'

/** Returns the number and total size of a chain's images. */
export async function readImageUsage(session: Session): Promise<ImageUsage> {
  const [row] = await session.query(
    'select count(*)::int as images, coalesce(sum(size), 0)::float8 as bytes from image',
  )
  return { images: Number(row?.['images'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
}
