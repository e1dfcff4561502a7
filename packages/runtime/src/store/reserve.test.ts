import { FaultError } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { type Disk, systemDisk } from './disk.ts';
import { makeReserve } from './reserve.ts';

/** A disk with room for so many bytes, of which only whole files are known. */
function makeDisk(room: number): Disk & { files: Map<string, number> } {
  const files = new Map<string, number>();
  const used = () => [...files.values()].reduce((sum, size) => sum + size, 0);
  return {
    ...systemDisk,
    files,
    exists: (path) => files.has(path),
    put(path, content) {
      if (used() + content.length > room) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      files.set(path, content.length);
    },
    remove: (path) => void files.delete(path),
  };
}

const full = () => new FaultError({ code: 'state.full', message: 'no space left', retry: 'never' });

describe('the reserve', () => {
  it('is set aside once', () => {
    const disk = makeDisk(100);
    makeReserve('r', disk, 60).take();
    makeReserve('r', disk, 60).take();
    expect([...disk.files]).toEqual([['r', 60]]);
  });

  it('is refused with a fault where there is no room for it, and nothing is left of it', () => {
    const disk = makeDisk(50);
    expect(() => makeReserve('r', disk, 60).take()).toThrow(/no space left to write r; free some/);
    expect(disk.files.size).toBe(0);
  });

  it('is given up for what does not fit, which is then done once more', () => {
    const disk = makeDisk(100);
    const reserve = makeReserve('r', disk, 60);
    reserve.take();
    const write = () => {
      try {
        disk.put('event', Buffer.alloc(50));
      } catch {
        throw full();
      }
      return 'written';
    };
    expect(reserve.isUsed()).toBe(false);
    expect(reserve.orUse(write)).toBe('written');
    expect([reserve.isUsed(), [...disk.files]]).toEqual([true, [['event', 50]]]);
  });

  it('is given up once: what does not fit afterwards is a fault', () => {
    const reserve = makeReserve('r', makeDisk(100), 60);
    let times = 0;
    const never = () => {
      times += 1;
      throw full();
    };
    expect(() => reserve.orUse(never)).toThrow('no space left');
    expect(times).toBe(2);
    expect(() => reserve.orUse(never)).toThrow('no space left');
    expect(times).toBe(3);
  });

  it('stays for any other fault', () => {
    const disk = makeDisk(100);
    const reserve = makeReserve('r', disk, 60);
    reserve.take();
    const broken = () => {
      throw new FaultError({ code: 'state.unwritable', message: 'broken', retry: 'never' });
    };
    expect(() => reserve.orUse(broken)).toThrow('broken');
    expect([reserve.isUsed(), disk.files.has('r')]).toEqual([false, true]);
  });
});
