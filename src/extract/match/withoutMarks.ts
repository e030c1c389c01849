/**
 * Letters without their marks: keys of a schema are mostly written so, `ngay_dang` for "Ngày đăng". Some marks are a part of
 * their letter, and Unicode does not take them apart.
 */
export const withoutMarks = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[đĐłŁøØıß]/g, (letter) => plain[letter] ?? letter)

const plain: Readonly<Record<string, string>> = { đ: "d", Đ: "D", ł: "l", Ł: "L", ø: "o", Ø: "O", ı: "i", ß: "ss" }
