;; The inner loops over the memory of a state, in SIMD. Their results equal those of js-kernels.ts and hash.ts bit for bit.
;; The last few numbers of a column are handled in JavaScript. `npm run kernels` assembles this file.
(module
  (import "tickwise" "memory" (memory 1))

  ;; The scratch area holds values that are not passed as parameters: doubles, which V8 would box to pass them, and constants,
  ;; which V8 would rebuild in each iteration of a loop.
  ;;     0  the hash: 16 lanes, 4 sums, and 2 words that are not used here
  ;;    96  k, t, 1 - t, dt: a curve's blend is base + (b - a) * k, where base is a for t < 0.5, then b
  ;;   128  the distance in time from the nearer end, at most 0.5; and 2.0, whose only set bit all doubles of 2 or more share
  ;;   144  1 if the nearer end is the previous state, else -1
  ;;   160  the factor of the hash
  (import "tickwise" "scratch" (global $scratch i32))

  (func (export "copy") (param $to i32) (param $from i32) (param $bytes i32)
    (memory.copy (local.get $to) (local.get $from) (local.get $bytes)))

  ;; Absorbs doubles up to $f64, floats up to $f32, integers up to $end.
  (func (export "hash") (param $at i32) (param $f64 i32) (param $f32 i32) (param $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $sum v128)
    (local $p v128) (local $q v128) (local $r v128) (local $s v128) (local $sums v128) (local $factor v128)
    (local.set $a (v128.load offset=0 (global.get $scratch)))
    (local.set $b (v128.load offset=16 (global.get $scratch)))
    (local.set $c (v128.load offset=32 (global.get $scratch)))
    (local.set $d (v128.load offset=48 (global.get $scratch)))
    (local.set $sum (v128.load offset=64 (global.get $scratch)))
    (local.set $factor (v128.load offset=160 (global.get $scratch)))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $p (v128.load offset=0 (local.get $at)))
        (local.set $q (v128.load offset=16 (local.get $at)))
        (local.set $r (v128.load offset=32 (local.get $at)))
        (local.set $s (v128.load offset=48 (local.get $at)))
        (if (i32.lt_u (local.get $at) (local.get $f64))
          (then
            ;; The sum is NaN if one of them is; rarely, infinities make it NaN too.
            (local.set $sums (f64x2.add (f64x2.add (local.get $p) (local.get $q)) (f64x2.add (local.get $r) (local.get $s))))
            (if (v128.any_true (f64x2.ne (local.get $sums) (local.get $sums)))
              (then
                (local.set $p (v128.bitselect (local.get $p) (v128.const i32x4 0 0x7ff80000 0 0x7ff80000) (f64x2.eq (local.get $p) (local.get $p))))
                (local.set $q (v128.bitselect (local.get $q) (v128.const i32x4 0 0x7ff80000 0 0x7ff80000) (f64x2.eq (local.get $q) (local.get $q))))
                (local.set $r (v128.bitselect (local.get $r) (v128.const i32x4 0 0x7ff80000 0 0x7ff80000) (f64x2.eq (local.get $r) (local.get $r))))
                (local.set $s (v128.bitselect (local.get $s) (v128.const i32x4 0 0x7ff80000 0 0x7ff80000) (f64x2.eq (local.get $s) (local.get $s)))))))
          (else
          (if (i32.lt_u (local.get $at) (local.get $f32))
            (then
              (local.set $sums (f32x4.add (f32x4.add (local.get $p) (local.get $q)) (f32x4.add (local.get $r) (local.get $s))))
              (if (v128.any_true (f32x4.ne (local.get $sums) (local.get $sums)))
                (then
                  (local.set $p (v128.bitselect (local.get $p) (v128.const i32x4 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000) (f32x4.eq (local.get $p) (local.get $p))))
                  (local.set $q (v128.bitselect (local.get $q) (v128.const i32x4 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000) (f32x4.eq (local.get $q) (local.get $q))))
                  (local.set $r (v128.bitselect (local.get $r) (v128.const i32x4 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000) (f32x4.eq (local.get $r) (local.get $r))))
                  (local.set $s (v128.bitselect (local.get $s) (v128.const i32x4 0x7fc00000 0x7fc00000 0x7fc00000 0x7fc00000) (f32x4.eq (local.get $s) (local.get $s))))))))))
        (local.set $a (v128.xor (local.get $a) (local.get $p)))
        (local.set $a (i32x4.mul (v128.xor (local.get $a) (i32x4.shr_u (local.get $a) (i32.const 15))) (local.get $factor)))
        (local.set $b (v128.xor (local.get $b) (local.get $q)))
        (local.set $b (i32x4.mul (v128.xor (local.get $b) (i32x4.shr_u (local.get $b) (i32.const 15))) (local.get $factor)))
        (local.set $c (v128.xor (local.get $c) (local.get $r)))
        (local.set $c (i32x4.mul (v128.xor (local.get $c) (i32x4.shr_u (local.get $c) (i32.const 15))) (local.get $factor)))
        (local.set $d (v128.xor (local.get $d) (local.get $s)))
        (local.set $d (i32x4.mul (v128.xor (local.get $d) (i32x4.shr_u (local.get $d) (i32.const 15))) (local.get $factor)))
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.add (i32x4.add (local.get $a) (local.get $b)) (i32x4.add (local.get $c) (local.get $d)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $block)))
    (v128.store offset=0 (global.get $scratch) (local.get $a))
    (v128.store offset=16 (global.get $scratch) (local.get $b))
    (v128.store offset=32 (global.get $scratch) (local.get $c))
    (v128.store offset=48 (global.get $scratch) (local.get $d))
    (v128.store offset=64 (global.get $scratch) (local.get $sum)))

  ;; Blends from $x, the end that is nearer in time, towards $y. Equal infinities have no difference.
  (func $careful (param $x v128) (param $y v128) (param $k v128) (result v128)
    (local $r v128)
    (local.set $r (f64x2.sub (local.get $x) (f64x2.mul (f64x2.sub (local.get $x) (local.get $y)) (local.get $k))))
    (v128.bitselect
      (local.get $x)
      (local.get $r)
      (v128.and (f64x2.eq (local.get $x) (local.get $y)) (f64x2.ne (local.get $r) (local.get $r)))))

  ;; The same for angles. If they are more than half a turn apart, takes the shorter arc.
  (func $carefulAngle (param $x v128) (param $y v128) (param $k v128) (result v128)
    (local $way v128)
    (local.set $way (f64x2.mul
      (f64x2.sub (local.get $y) (local.get $x))
      (f64x2.splat (f64.load offset=144 (global.get $scratch)))))
    (v128.bitselect
      (call $careful (local.get $x) (local.get $y) (local.get $k))
      (f64x2.add (local.get $x) (f64x2.mul
        (f64x2.mul
          (f64x2.sub
            (local.get $way)
            (f64x2.mul
              (v128.const f64x2 0x1.921fb54442d18p+2 0x1.921fb54442d18p+2)
              (f64x2.floor (f64x2.add
                (f64x2.div (local.get $way) (v128.const f64x2 0x1.921fb54442d18p+2 0x1.921fb54442d18p+2))
                (v128.const f64x2 0.5 0.5)))))
          (f64x2.splat (f64.load offset=144 (global.get $scratch))))
        (local.get $k)))
      (f64x2.le (f64x2.abs (local.get $way)) (v128.const f64x2 0x1.921fb54442d18p+1 0x1.921fb54442d18p+1))))

  ;; 16 numbers per iteration. Returns whether a result may be NaN. Then all must be checked, as equal infinities stay. Uses
  ;; products and their sum, because the units that add are the busiest here.
  (func $nearLerp64 (param $out i32) (param $x i32) (param $y i32) (param $end i32) (result i32)
    (local $k v128) (local $p v128) (local $sum v128)
    (local $r0 v128) (local $r1 v128) (local $r2 v128) (local $r3 v128) (local $r4 v128) (local $r5 v128) (local $r6 v128) (local $r7 v128)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (block $done
      (loop $some
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $p (v128.load (local.get $x)))
        (local.set $r0 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load (local.get $y))) (local.get $k))))
        (v128.store (local.get $out) (local.get $r0))
        (local.set $p (v128.load offset=16 (local.get $x)))
        (local.set $r1 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=16 (local.get $y))) (local.get $k))))
        (v128.store offset=16 (local.get $out) (local.get $r1))
        (local.set $p (v128.load offset=32 (local.get $x)))
        (local.set $r2 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=32 (local.get $y))) (local.get $k))))
        (v128.store offset=32 (local.get $out) (local.get $r2))
        (local.set $p (v128.load offset=48 (local.get $x)))
        (local.set $r3 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=48 (local.get $y))) (local.get $k))))
        (v128.store offset=48 (local.get $out) (local.get $r3))
        (local.set $p (v128.load offset=64 (local.get $x)))
        (local.set $r4 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=64 (local.get $y))) (local.get $k))))
        (v128.store offset=64 (local.get $out) (local.get $r4))
        (local.set $p (v128.load offset=80 (local.get $x)))
        (local.set $r5 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=80 (local.get $y))) (local.get $k))))
        (v128.store offset=80 (local.get $out) (local.get $r5))
        (local.set $p (v128.load offset=96 (local.get $x)))
        (local.set $r6 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=96 (local.get $y))) (local.get $k))))
        (v128.store offset=96 (local.get $out) (local.get $r6))
        (local.set $p (v128.load offset=112 (local.get $x)))
        (local.set $r7 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (v128.load offset=112 (local.get $y))) (local.get $k))))
        (v128.store offset=112 (local.get $out) (local.get $r7))
        (local.set $sum (f64x2.add (local.get $sum) (f64x2.add
          (f64x2.add (f64x2.mul (local.get $r0) (local.get $r1)) (f64x2.mul (local.get $r2) (local.get $r3)))
          (f64x2.add (f64x2.mul (local.get $r4) (local.get $r5)) (f64x2.mul (local.get $r6) (local.get $r7))))))
        (local.set $out (i32.add (local.get $out) (i32.const 128)))
        (local.set $x (i32.add (local.get $x) (i32.const 128)))
        (local.set $y (i32.add (local.get $y) (i32.const 128)))
        (br $some)))
    (v128.any_true (f64x2.ne (local.get $sum) (local.get $sum))))

  (func $carefulLerp64 (param $out i32) (param $x i32) (param $y i32) (param $end i32)
    (local $k v128)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (v128.store (local.get $out) (call $careful (v128.load (local.get $x)) (v128.load (local.get $y)) (local.get $k)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (br $each))))

  ;; A kilobyte at a time, to limit the cost of a number that needs the slow path.
  (func (export "lerp64") (param $out i32) (param $x i32) (param $y i32) (param $end i32)
    (local $stop i32) (local $whole i32)
    (local.set $whole (i32.add (local.get $out) (i32.and (i32.sub (local.get $end) (local.get $out)) (i32.const -128))))
    (block $done
      (loop $some
        (br_if $done (i32.ge_u (local.get $out) (local.get $whole)))
        (local.set $stop (i32.add (local.get $out) (i32.const 1024)))
        (if (i32.gt_u (local.get $stop) (local.get $whole)) (then (local.set $stop (local.get $whole))))
        (if (call $nearLerp64 (local.get $out) (local.get $x) (local.get $y) (local.get $stop))
          (then (call $carefulLerp64 (local.get $out) (local.get $x) (local.get $y) (local.get $stop))))
        (local.set $x (i32.add (local.get $x) (i32.sub (local.get $stop) (local.get $out))))
        (local.set $y (i32.add (local.get $y) (i32.sub (local.get $stop) (local.get $out))))
        (local.set $out (local.get $stop))
        (br $some)))
    (call $carefulLerp64 (local.get $out) (local.get $x) (local.get $y) (local.get $end)))

  ;; 16 angles per iteration. Stops, and returns where, if one needs the slow path: a difference of 2 or more, infinite or NaN.
  (func $nearAngle64 (param $out i32) (param $x i32) (param $y i32) (param $end i32) (result i32)
    (local $k v128) (local $p v128) (local $d v128) (local $all v128) (local $two v128)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (local.set $two (f64x2.splat (f64.load offset=136 (global.get $scratch))))
    (block $done
      (loop $some
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $p (v128.load (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load (local.get $y))))
        (local.set $all (local.get $d))
        (v128.store (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=16 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=16 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=16 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=32 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=32 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=32 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=48 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=48 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=48 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=64 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=64 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=64 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=80 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=80 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=80 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=96 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=96 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=96 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (v128.load offset=112 (local.get $x)))
        (local.set $d (f64x2.sub (local.get $p) (v128.load offset=112 (local.get $y))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (v128.store offset=112 (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (br_if $done (v128.any_true (v128.and (local.get $all) (local.get $two))))
        (local.set $out (i32.add (local.get $out) (i32.const 128)))
        (local.set $x (i32.add (local.get $x) (i32.const 128)))
        (local.set $y (i32.add (local.get $y) (i32.const 128)))
        (br $some)))
    (local.get $out))

  (func (export "angle64") (param $out i32) (param $x i32) (param $y i32) (param $end i32)
    (local $k v128) (local $two v128) (local $p v128) (local $d v128) (local $at i32) (local $stop i32) (local $whole i32)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (local.set $two (f64x2.splat (f64.load offset=136 (global.get $scratch))))
    (local.set $whole (i32.add (local.get $out) (i32.and (i32.sub (local.get $end) (local.get $out)) (i32.const -128))))
    (block $done
      (loop $some
        (local.set $at (local.get $out))
        (local.set $out (call $nearAngle64 (local.get $out) (local.get $x) (local.get $y) (local.get $whole)))
        (local.set $at (i32.sub (local.get $out) (local.get $at)))
        (local.set $x (i32.add (local.get $x) (local.get $at)))
        (local.set $y (i32.add (local.get $y) (local.get $at)))
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $stop (select
          (i32.add (local.get $out) (i32.const 128))
          (local.get $end)
          (i32.lt_u (local.get $out) (local.get $whole))))
        (loop $each
          (local.set $p (v128.load (local.get $x)))
          (local.set $d (f64x2.sub (local.get $p) (v128.load (local.get $y))))
          (if (v128.any_true (v128.and (local.get $d) (local.get $two)))
            (then (v128.store (local.get $out) (call $carefulAngle (local.get $p) (v128.load (local.get $y)) (local.get $k))))
            (else (v128.store (local.get $out) (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (local.set $x (i32.add (local.get $x) (i32.const 16)))
          (local.set $y (i32.add (local.get $y) (i32.const 16)))
          (br_if $each (i32.lt_u (local.get $out) (local.get $stop))))
        (br $some))))

  ;; Stops, and returns where, if a result is NaN: both ends may be the same infinity.
  (func $nearLerp32 (param $out i32) (param $x i32) (param $y i32) (param $end i32) (result i32)
    (local $p v128) (local $k v128) (local $r0 v128) (local $r1 v128) (local $sum v128)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (block $done
      (loop $some
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $p (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $x))))
        (local.set $r0 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $y)))) (local.get $k))))
        (local.set $p (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $x))))
        (local.set $r1 (f64x2.sub (local.get $p) (f64x2.mul (f64x2.sub (local.get $p) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $y)))) (local.get $k))))
        (local.set $sum (f64x2.add (local.get $r0) (local.get $r1)))
        (br_if $done (v128.any_true (f64x2.ne (local.get $sum) (local.get $sum))))
        (v128.store64_lane 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $r0)))
        (v128.store64_lane offset=8 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $r1)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (br $some)))
    (local.get $out))

  (func (export "lerp32") (param $out i32) (param $x i32) (param $y i32) (param $end i32)
    (local $k v128) (local $at i32) (local $stop i32)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (block $done
      (loop $some
        (local.set $at (local.get $out))
        (local.set $out (call $nearLerp32 (local.get $out) (local.get $x) (local.get $y) (local.get $end)))
        (local.set $at (i32.sub (local.get $out) (local.get $at)))
        (local.set $x (i32.add (local.get $x) (local.get $at)))
        (local.set $y (i32.add (local.get $y) (local.get $at)))
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $stop (i32.add (local.get $out) (i32.const 16)))
        (loop $each
          (v128.store64_lane 0 (local.get $out) (f32x4.demote_f64x2_zero (call $careful (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $x))) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $y))) (local.get $k))))
          (local.set $out (i32.add (local.get $out) (i32.const 8)))
          (local.set $x (i32.add (local.get $x) (i32.const 8)))
          (local.set $y (i32.add (local.get $y) (i32.const 8)))
          (br_if $each (i32.lt_u (local.get $out) (local.get $stop))))
        (br $some))))

  ;; Stops, and returns where, at angles that need the slow path.
  (func $nearAngle32 (param $out i32) (param $x i32) (param $y i32) (param $end i32) (result i32)
    (local $p v128) (local $k v128) (local $r0 v128) (local $r1 v128) (local $d v128) (local $all v128) (local $two v128)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (local.set $two (f64x2.splat (f64.load offset=136 (global.get $scratch))))
    (block $done
      (loop $some
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $p (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $x))))
        (local.set $d (f64x2.sub (local.get $p) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $y)))))
        (local.set $all (local.get $d))
        (local.set $r0 (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (local.set $p (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $x))))
        (local.set $d (f64x2.sub (local.get $p) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $y)))))
        (local.set $all (v128.or (local.get $all) (local.get $d)))
        (local.set $r1 (f64x2.sub (local.get $p) (f64x2.mul (local.get $d) (local.get $k))))
        (br_if $done (v128.any_true (v128.and (local.get $all) (local.get $two))))
        (v128.store64_lane 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $r0)))
        (v128.store64_lane offset=8 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $r1)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (local.set $y (i32.add (local.get $y) (i32.const 16)))
        (br $some)))
    (local.get $out))

  (func (export "angle32") (param $out i32) (param $x i32) (param $y i32) (param $end i32)
    (local $k v128) (local $at i32) (local $stop i32)
    (local.set $k (f64x2.splat (f64.load offset=128 (global.get $scratch))))
    (block $done
      (loop $some
        (local.set $at (local.get $out))
        (local.set $out (call $nearAngle32 (local.get $out) (local.get $x) (local.get $y) (local.get $end)))
        (local.set $at (i32.sub (local.get $out) (local.get $at)))
        (local.set $x (i32.add (local.get $x) (local.get $at)))
        (local.set $y (i32.add (local.get $y) (local.get $at)))
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $stop (i32.add (local.get $out) (i32.const 16)))
        (loop $each
          (v128.store64_lane 0 (local.get $out) (f32x4.demote_f64x2_zero (call $carefulAngle (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $x))) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $y))) (local.get $k))))
          (local.set $out (i32.add (local.get $out) (i32.const 8)))
          (local.set $x (i32.add (local.get $x) (i32.const 8)))
          (local.set $y (i32.add (local.get $y) (i32.const 8)))
          (br_if $each (i32.lt_u (local.get $out) (local.get $stop))))
        (br $some))))

  (func (export "hermite64")
    (param $out i32) (param $from i32) (param $to i32) (param $base i32) (param $v i32) (param $w i32) (param $end i32)
    (local $k v128) (local $t v128) (local $u v128) (local $dt v128)
    (local.set $k (f64x2.splat (f64.load offset=96 (global.get $scratch))))
    (local.set $t (f64x2.splat (f64.load offset=104 (global.get $scratch))))
    (local.set $u (f64x2.splat (f64.load offset=112 (global.get $scratch))))
    (local.set $dt (f64x2.splat (f64.load offset=120 (global.get $scratch))))
    (if (i32.ge_u (local.get $out) (local.get $end)) (then (return)))
    (loop $some
      (v128.store (local.get $out) (f64x2.add
        (f64x2.add
          (v128.load (local.get $base))
          (f64x2.mul (f64x2.sub (v128.load (local.get $to)) (v128.load (local.get $from))) (local.get $k)))
        (f64x2.mul (local.get $dt) (f64x2.sub
          (f64x2.mul (f64x2.mul (f64x2.mul (v128.load (local.get $v)) (local.get $t)) (local.get $u)) (local.get $u))
          (f64x2.mul (f64x2.mul (f64x2.mul (v128.load (local.get $w)) (local.get $t)) (local.get $t)) (local.get $u))))))
      (v128.store offset=16 (local.get $out) (f64x2.add
        (f64x2.add
          (v128.load offset=16 (local.get $base))
          (f64x2.mul (f64x2.sub (v128.load offset=16 (local.get $to)) (v128.load offset=16 (local.get $from))) (local.get $k)))
        (f64x2.mul (local.get $dt) (f64x2.sub
          (f64x2.mul (f64x2.mul (f64x2.mul (v128.load offset=16 (local.get $v)) (local.get $t)) (local.get $u)) (local.get $u))
          (f64x2.mul (f64x2.mul (f64x2.mul (v128.load offset=16 (local.get $w)) (local.get $t)) (local.get $t)) (local.get $u))))))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $from (i32.add (local.get $from) (i32.const 32)))
      (local.set $to (i32.add (local.get $to) (i32.const 32)))
      (local.set $base (i32.add (local.get $base) (i32.const 32)))
      (local.set $v (i32.add (local.get $v) (i32.const 32)))
      (local.set $w (i32.add (local.get $w) (i32.const 32)))
      (br_if $some (i32.lt_u (local.get $out) (local.get $end)))))

  (func (export "hermite32")
    (param $out i32) (param $from i32) (param $to i32) (param $base i32) (param $v i32) (param $w i32) (param $end i32)
    (local $k v128) (local $t v128) (local $u v128) (local $dt v128)
    (local.set $k (f64x2.splat (f64.load offset=96 (global.get $scratch))))
    (local.set $t (f64x2.splat (f64.load offset=104 (global.get $scratch))))
    (local.set $u (f64x2.splat (f64.load offset=112 (global.get $scratch))))
    (local.set $dt (f64x2.splat (f64.load offset=120 (global.get $scratch))))
    (if (i32.ge_u (local.get $out) (local.get $end)) (then (return)))
    (loop $some
      (v128.store64_lane 0 (local.get $out) (f32x4.demote_f64x2_zero (f64x2.add
        (f64x2.add
          (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $base)))
          (f64x2.mul (f64x2.sub (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $to))) (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $from)))) (local.get $k)))
        (f64x2.mul (local.get $dt) (f64x2.sub
          (f64x2.mul (f64x2.mul (f64x2.mul (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $v))) (local.get $t)) (local.get $u)) (local.get $u))
          (f64x2.mul (f64x2.mul (f64x2.mul (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $w))) (local.get $t)) (local.get $t)) (local.get $u)))))))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (local.set $base (i32.add (local.get $base) (i32.const 8)))
      (local.set $v (i32.add (local.get $v) (i32.const 8)))
      (local.set $w (i32.add (local.get $w) (i32.const 8)))
      (br_if $some (i32.lt_u (local.get $out) (local.get $end)))))

  ;; Two quaternions at a time, transposed so that each register holds one component of both. For an odd count, the last one is
  ;; both of them.
  (func (export "nlerp64") (param $out i32) (param $from i32) (param $to i32) (param $count i32)
    (local $next i32) (local $ta v128) (local $tb v128) (local $flipA v128) (local $flipB v128)
    (local $ax v128) (local $ay v128) (local $az v128) (local $aw v128)
    (local $bx v128) (local $by v128) (local $bz v128) (local $bw v128)
    (local $mx v128) (local $my v128) (local $mz v128) (local $mw v128)
    (local $same v128) (local $flip v128) (local $length v128) (local $ka v128) (local $kb v128)
    (local.set $tb (f64x2.splat (f64.load offset=104 (global.get $scratch))))
    (local.set $ta (f64x2.splat (f64.load offset=112 (global.get $scratch))))
    ;; If the dot product is negative, negate the quaternion that is farther away in time.
    (if (f64.lt (f64.load offset=104 (global.get $scratch)) (f64.const 0.5))
      (then (local.set $flipB (v128.const f64x2 -0 -0)))
      (else (local.set $flipA (v128.const f64x2 -0 -0))))
    (block $done
      (loop $two
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $next (select (i32.const 32) (i32.const 0) (i32.gt_u (local.get $count) (i32.const 1))))
        (local.set $ay (v128.load offset=0 (i32.add (local.get $from) (local.get $next))))
        (local.set $mx (v128.load offset=0 (local.get $from)))
        (local.set $ax (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $mx) (local.get $ay)))
        (local.set $ay (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $mx) (local.get $ay)))
        (local.set $aw (v128.load offset=16 (i32.add (local.get $from) (local.get $next))))
        (local.set $mx (v128.load offset=16 (local.get $from)))
        (local.set $az (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $mx) (local.get $aw)))
        (local.set $aw (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $mx) (local.get $aw)))
        (local.set $by (v128.load offset=0 (i32.add (local.get $to) (local.get $next))))
        (local.set $mx (v128.load offset=0 (local.get $to)))
        (local.set $bx (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $mx) (local.get $by)))
        (local.set $by (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $mx) (local.get $by)))
        (local.set $bw (v128.load offset=16 (i32.add (local.get $to) (local.get $next))))
        (local.set $mx (v128.load offset=16 (local.get $to)))
        (local.set $bz (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $mx) (local.get $bw)))
        (local.set $bw (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $mx) (local.get $bw)))
        (local.set $same (v128.and
          (v128.and (f64x2.eq (local.get $ax) (local.get $bx)) (f64x2.eq (local.get $ay) (local.get $by)))
          (v128.and (f64x2.eq (local.get $az) (local.get $bz)) (f64x2.eq (local.get $aw) (local.get $bw)))))
        (local.set $flip (f64x2.lt (f64x2.add (f64x2.add (f64x2.add (f64x2.mul (local.get $ax) (local.get $bx)) (f64x2.mul (local.get $ay) (local.get $by)))
          (f64x2.mul (local.get $az) (local.get $bz))) (f64x2.mul (local.get $aw) (local.get $bw))) (v128.const f64x2 0 0)))
        (local.set $ka (v128.xor (local.get $ta) (v128.and (local.get $flip) (local.get $flipA))))
        (local.set $kb (v128.xor (local.get $tb) (v128.and (local.get $flip) (local.get $flipB))))
        (local.set $mx (f64x2.add (f64x2.mul (local.get $ax) (local.get $ka)) (f64x2.mul (local.get $bx) (local.get $kb))))
        (local.set $my (f64x2.add (f64x2.mul (local.get $ay) (local.get $ka)) (f64x2.mul (local.get $by) (local.get $kb))))
        (local.set $mz (f64x2.add (f64x2.mul (local.get $az) (local.get $ka)) (f64x2.mul (local.get $bz) (local.get $kb))))
        (local.set $mw (f64x2.add (f64x2.mul (local.get $aw) (local.get $ka)) (f64x2.mul (local.get $bw) (local.get $kb))))
        (local.set $length (f64x2.sqrt (f64x2.add (f64x2.add (f64x2.add (f64x2.mul (local.get $mx) (local.get $mx)) (f64x2.mul (local.get $my) (local.get $my)))
          (f64x2.mul (local.get $mz) (local.get $mz))) (f64x2.mul (local.get $mw) (local.get $mw)))))
        (local.set $mx (v128.bitselect (local.get $bx) (f64x2.div (local.get $mx) (local.get $length)) (local.get $same)))
        (local.set $my (v128.bitselect (local.get $by) (f64x2.div (local.get $my) (local.get $length)) (local.get $same)))
        (local.set $mz (v128.bitselect (local.get $bz) (f64x2.div (local.get $mz) (local.get $length)) (local.get $same)))
        (local.set $mw (v128.bitselect (local.get $bw) (f64x2.div (local.get $mw) (local.get $length)) (local.get $same)))
        (v128.store offset=0 (local.get $out) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $mx) (local.get $my)))
        (v128.store offset=0 (i32.add (local.get $out) (local.get $next)) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $mx) (local.get $my)))
        (v128.store offset=16 (local.get $out) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $mz) (local.get $mw)))
        (v128.store offset=16 (i32.add (local.get $out) (local.get $next)) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $mz) (local.get $mw)))
        (local.set $out (i32.add (local.get $out) (i32.const 64)))
        (local.set $from (i32.add (local.get $from) (i32.const 64)))
        (local.set $to (i32.add (local.get $to) (i32.const 64)))
        (local.set $count (i32.sub (local.get $count) (select (i32.const 2) (i32.const 1) (local.get $next))))
        (br $two)))))
