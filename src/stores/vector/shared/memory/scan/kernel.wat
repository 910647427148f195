;; The inner loop of a scan: the inner products of one query with rows that lie one behind the other, sixteen numbers at a
;; time, each of two bytes. `kernel.ts` carries it in binary form; a test compiles this text and compares.
(module
  (import "scan" "memory" (memory 1 65536 shared))
  (func (export "products")
    (param $query i32) (param $row i32) (param $rows i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $at i32) (local $rowEnd i32) (local $one v128) (local $two v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $nextRow
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $one (v128.const i32x4 0 0 0 0))
        (local.set $two (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $rowEnd (i32.add (local.get $row) (i32.shl (local.get $stride) (i32.const 1))))
        (block $rowDone
          (loop $nextSixteen
            (br_if $rowDone (i32.ge_u (local.get $row) (local.get $rowEnd)))
            (local.set $one (i32x4.add (local.get $one)
              (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load (local.get $row)))))
            (local.set $two (i32x4.add (local.get $two)
              (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $row)))))
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (local.set $row (i32.add (local.get $row) (i32.const 32)))
            (br $nextSixteen)))
        (local.set $one (i32x4.add (local.get $one) (local.get $two)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $one)) (i32x4.extract_lane 1 (local.get $one)))
            (i32.add (i32x4.extract_lane 2 (local.get $one)) (i32x4.extract_lane 3 (local.get $one)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $nextRow)))))
