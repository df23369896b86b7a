;; Finds a text in the memory, 16 positions at a time. Assembled by scripts/assemble-kernel.mjs into scan-kernel.ts.
;;
;; scan(from, to, text, length, found, max): writes the positions in [from, to) at which the text begins to `found`, as 32-bit
;; words, at most `max` of them, and returns their number. Stores the position at which to continue in front of `found`.
;; Reads up to 15 + length bytes after `to`, which have to exist. `length` is at least 1.
(module
  (import "env" "memory" (memory 1 65536))
  (func (export "scan")
    (param $from i32) (param $to i32) (param $text i32) (param $length i32) (param $found i32) (param $max i32)
    (result i32)
    (local $count i32) (local $mask i32) (local $position i32) (local $i i32) (local $last i32)
    (local $first_byte v128) (local $last_byte v128)
    (local.set $last (i32.sub (local.get $length) (i32.const 1)))
    (local.set $first_byte (i8x16.splat (i32.load8_u (local.get $text))))
    (local.set $last_byte (i8x16.splat (i32.load8_u (i32.add (local.get $text) (local.get $last)))))
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $mask
          (i8x16.bitmask
            (v128.and
              (i8x16.eq (v128.load (local.get $from)) (local.get $first_byte))
              (i8x16.eq (v128.load (i32.add (local.get $from) (local.get $last))) (local.get $last_byte)))))
        (block $next_block
          (loop $hits
            (br_if $next_block (i32.eqz (local.get $mask)))
            (local.set $position (i32.add (local.get $from) (i32.ctz (local.get $mask))))
            (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
            (br_if $done (i32.ge_u (local.get $position) (local.get $to)))
            (local.set $i (i32.const 1))
            (block $differs
              (block $same
                (loop $bytes
                  (br_if $same (i32.ge_u (local.get $i) (local.get $last)))
                  (br_if $differs
                    (i32.ne
                      (i32.load8_u (i32.add (local.get $position) (local.get $i)))
                      (i32.load8_u (i32.add (local.get $text) (local.get $i)))))
                  (local.set $i (i32.add (local.get $i) (i32.const 1)))
                  (br $bytes)))
              (if (i32.ge_u (local.get $count) (local.get $max))
                (then
                  (i32.store (i32.sub (local.get $found) (i32.const 4)) (local.get $position))
                  (return (local.get $count))))
              (i32.store
                (i32.add (local.get $found) (i32.shl (local.get $count) (i32.const 2)))
                (local.get $position))
              (local.set $count (i32.add (local.get $count) (i32.const 1))))
            (br $hits)))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $blocks)))
    (i32.store (i32.sub (local.get $found) (i32.const 4)) (local.get $to))
    (local.get $count)))
