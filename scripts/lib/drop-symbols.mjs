// Removes the symbol table and debugging information from a program for Linux, which nothing reads when it runs.

/** Fields of the header of an ELF file for 64-bit little-endian processors, by their offsets (ELF-64 §3). */
const field = { segments: 32, sections: 40, segmentCount: 56, sectionCount: 60, namesIndex: 62 };
const segmentBytes = 56;
const sectionBytes = 64;
const isLoadedFlag = 2n;

/**
 * Returns the bytes of an ELF program without the sections that are not loaded into memory. Everything up to the end of its last segment
 * stays the same, except the place and number of the sections in the header. The same program results in the same bytes. Throws for
 * other files and for programs whose sections have another order.
 */
export function dropSymbols(program) {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program[4] !== 2 || program[5] !== 1) {
    throw new Error('not an ELF program for a 64-bit little-endian processor');
  }
  const offsetAt = (position) => Number(program.readBigUInt64LE(position));
  const segments = Array.from(
    { length: program.readUInt16LE(field.segmentCount) },
    (_, index) => offsetAt(field.segments) + index * segmentBytes,
  );
  const end = Math.max(...segments.map((segment) => offsetAt(segment + 8) + offsetAt(segment + 32)));
  const sections = Array.from({ length: program.readUInt16LE(field.sectionCount) }, (_, index) => {
    const start = offsetAt(field.sections) + index * sectionBytes;
    return program.subarray(start, start + sectionBytes);
  });
  const isLoaded = (section) => (section.readBigUInt64LE(8) & isLoadedFlag) !== 0n;
  const kept = sections.findLastIndex(isLoaded) + 1;
  if (kept === 0 || !sections.slice(1, kept).every(isLoaded)) {
    throw new Error('the sections of the program have an unknown order');
  }
  const namesSection = Buffer.from(sections[program.readUInt16LE(field.namesIndex)]);
  const namesStart = Number(namesSection.readBigUInt64LE(24));
  const names = program.subarray(namesStart, namesStart + Number(namesSection.readBigUInt64LE(32)));
  const sectionsStart = Math.ceil((end + names.length) / 8) * 8;
  namesSection.writeBigUInt64LE(BigInt(end), 24);
  const padding = Buffer.alloc(sectionsStart - end - names.length);
  const smaller = Buffer.concat([
    program.subarray(0, end),
    names,
    padding,
    ...sections.slice(0, kept),
    namesSection,
  ]);
  smaller.writeBigUInt64LE(BigInt(sectionsStart), field.sections);
  smaller.writeUInt16LE(kept + 1, field.sectionCount);
  smaller.writeUInt16LE(kept, field.namesIndex);
  return smaller;
}
