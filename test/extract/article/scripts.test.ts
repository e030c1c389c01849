import { describe, expect, it } from "vitest"
import { article } from "#extract/article/article"

/** A page of news: its language, headline, byline and date as they are written there, and a sentence of its text. */
const page = (language: string, title: string, byline: string, date: string, sentence: string) =>
  `<!doctype html><html lang="${language}"><head><title>${title}</title></head><body><header><a href="/">x</a></header>
  <main><article><h1>${title}</h1><p class="who">${byline}</p><p class="meta">${date}</p>
  ${`<p>${sentence.repeat(3)}</p>`.repeat(4)}</article></main></body></html>`

describe("an article", () => {
  it.each([
    [
      "ar",
      "محطة جديدة",
      "بقلم: أحمد الخطيب",
      "أحمد الخطيب",
      "نُشر في ١٢ يناير ٢٠٢٤",
      "2024-01-12",
      "أعلنت البلدية عن افتتاح محطة القطار الجديدة، وقال المسؤولون إن المشروع استغرق ثلاث سنوات. "
    ],
    [
      "fa",
      "ایستگاه تازه",
      "نویسنده: رضا احمدی",
      "رضا احمدی",
      "تاریخ انتشار: ۱۲ مرداد ۱۴۰۳",
      "2024-08-02",
      "شهرداری از گشایش ایستگاه جدید قطار در مرکز شهر خبر داد و گفت که ساخت آن سه سال طول کشید. "
    ],
    [
      "he",
      "תחנה חדשה נפתחה",
      "מאת: דנה כהן",
      "דנה כהן",
      "פורסם ב-3 במאי 2026",
      "2026-05-03",
      "העירייה הודיעה על פתיחת תחנת הרכבת החדשה במרכז העיר, והבנייה נמשכה שלוש שנים. "
    ],
    [
      "hi",
      "नया स्टेशन खुला",
      "लेखक: अनिता शर्मा",
      "अनिता शर्मा",
      "प्रकाशित: 24 मई 2024",
      "2024-05-24",
      "नगर निगम ने शहर के केंद्र में नए रेलवे स्टेशन के खुलने की घोषणा की। "
    ],
    [
      "bn",
      "নতুন স্টেশন চালু",
      "লেখক: রহিম উদ্দিন",
      "রহিম উদ্দিন",
      "প্রকাশ: ২৫ মার্চ ২০২৪",
      "2024-03-25",
      "শহরের কেন্দ্রে নতুন রেলস্টেশন চালুর ঘোষণা দিয়েছে পৌরসভা, নির্মাণে তিন বছর লেগেছে। "
    ],
    [
      "th",
      "สถานีใหม่เปิดแล้ว",
      "โดย สมชาย ใจดี",
      "สมชาย ใจดี",
      "เผยแพร่ 5 มกราคม 2567",
      "2024-01-05",
      "เทศบาลประกาศเปิดสถานีรถไฟแห่งใหม่ใจกลางเมือง โดยใช้เวลาก่อสร้างสามปี "
    ],
    [
      "vi",
      "Nhà ga mới khai trương",
      "Tác giả: Nguyễn Văn An",
      "Nguyễn Văn An",
      "Đăng ngày 5 tháng 3 năm 2026",
      "2026-03-05",
      "Thành phố thông báo khai trương nhà ga mới ở trung tâm, công trình kéo dài ba năm. "
    ],
    [
      "ja",
      "新しい駅が開業",
      "文：山田太郎",
      "山田太郎",
      "公開日：令和8年5月3日",
      "2026-05-03",
      "市は中心部に新しい鉄道駅を開業したと発表した。工事には三年かかったという。"
    ],
    [
      "zh",
      "新车站启用",
      "记者 张三",
      "张三",
      "发布时间：二〇二六年五月三日",
      "2026-05-03",
      "市政府宣布市中心的新火车站正式启用，工程历时三年，市民纷纷前往参观。"
    ],
    [
      "ko",
      "새 역 개통",
      "홍길동 기자",
      "홍길동",
      "입력 2026. 5. 3. 오후 3:05",
      "2026-05-03",
      "시는 도심에 새 철도역이 문을 열었다고 발표했으며 공사에는 삼 년이 걸렸다고 밝혔다. "
    ]
  ])("in %s has its title, its author and its day", (language, title, byline, author, date, day, sentence) => {
    const found = article(page(language, title, byline, date, sentence), "https://news.test/a")

    expect(found).toMatchObject({ title, byline, authors: [author], published: day })
    expect(found.text).toContain(sentence.trim())
  })
})
